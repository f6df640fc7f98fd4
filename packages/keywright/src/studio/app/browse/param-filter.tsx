import type { ParamInfo } from "../../api.ts"
import { call } from "../state/call.ts"
import { go, href, route } from "../state/route.ts"
import { Combo } from "../parts/combo.tsx"

interface Props {
  readonly system: string
  readonly name: string
  readonly params: readonly ParamInfo[]
}

/** One field for each parameter that is not secret; the choice goes into the address. */
export function ParamFilter({ system, name, params }: Props) {
  const { query } = route.value
  const choose = (param: string, text: string) => {
    const next = { ...query, [`p.${param}`]: text === "" ? undefined : text }
    go(href("browse", [system, name], next), "replace")
  }
  const complete = (param: string) => async (prefix: string, signal: AbortSignal) => {
    const others = Object.entries(query).filter(([one]) => one.startsWith("p.") && one !== `p.${param}`)
    const answer = await call("GET /api/systems/:system/complete", {
      system,
      query: { pattern: name, param, prefix: prefix.replace(/\*$/, ""), limit: 20, ...Object.fromEntries(others) },
      signal,
    })
    return answer.values
  }
  return (
    <div class="filter" role="group" aria-label="Filter by parameters">
      {params
        .filter(({ secret }) => !secret)
        .map(({ name: param, type, choices }) => (
          <Combo
            key={param}
            label={`{${param}}`}
            hint={type}
            value={query[`p.${param}`] ?? ""}
            complete={
              choices === undefined
                ? complete(param)
                : (prefix) => Promise.resolve(choices.filter((one) => one.startsWith(prefix)))
            }
            onChoose={(text) => choose(param, text)}
          />
        ))}
    </div>
  )
}
