/* The keys of a pattern, page by page. The filter is in the address, so that it can be
 * kept and shared; cursors of the pages that were seen are kept to go back. */

import { useEffect, useState } from "preact/hooks"
import { countText } from "../../../render/quantity.ts"
import type { IndexInfo, ParamInfo } from "../../api.ts"
import { Empty } from "../parts/empty.tsx"
import { ExportShown } from "../parts/export-shown.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { Pager } from "../parts/pager.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { call } from "../state/call.ts"
import { route } from "../state/route.ts"
import { scans } from "../state/studio.ts"
import { useAnswer } from "../state/use-answer.ts"
import { exportedKeys } from "./export-cells.ts"
import { IndexFilter } from "./index-filter.tsx"
import { KeysGrid } from "./keys-grid.tsx"
import { ParamFilter } from "./param-filter.tsx"
import { ScanLine } from "../overview/scan-line.tsx"
import { useStateOf } from "../state/use-state-of.ts"

const PAGE = 50
const FIRST = [undefined]
/** What of the address is part of the question. */
const FILTERS = /^(?:[px]\.|index$|descending$)/

interface Props {
  readonly system: string
  readonly name: string
  readonly params: readonly ParamInfo[]
  readonly indexes: readonly IndexInfo[]
  /** The declared one; of unknown keys there is none. */
  readonly type: string | undefined
}

export function KeysTable({ system, name, params, indexes, type }: Props) {
  const { query } = route.value
  const index = indexes.find((one) => one.name === query["index"])
  const isAsked = index === undefined || index.params.every((param) => query[`x.${param.name}`] !== undefined)
  const filter = Object.fromEntries(
    Object.entries(query).filter(([param]) => FILTERS.test(param) && (index === undefined) === param.startsWith("p.")),
  ) as Record<`p.${string}`, string>
  const filterText = JSON.stringify(filter)
  const [cursors, setCursors] = useStateOf<readonly (string | undefined)[]>(`${system} ${name} ${filterText}`, FIRST)
  const cursor = cursors.at(-1)
  const round = scans.value[system]?.round ?? 0
  const [at, setAt] = useState(Date.now())
  const what = `${system} ${name} ${filterText} ${cursor ?? ""} ${round === 0 ? 0 : 1}`
  const page = useAnswer(isAsked ? what : undefined, async (signal) => {
    const answer = await call("GET /api/systems/:system/keys", {
      system,
      query: { pattern: name, limit: PAGE, ...(cursor !== undefined && { cursor }), ...filter },
      signal,
    })
    setAt(Date.now())
    return answer
  })
  const { data, error, again } = page
  // Where there was nothing, a new count may have found something.
  useEffect(() => {
    if (data?.keys.length === 0) again()
  }, [round])
  const isFiltered = Object.keys(filter).length > 0
  const from = (cursors.length - 1) * PAGE
  return (
    <div class="card keys">
      {index === undefined && params.some(({ secret }) => !secret) ? (
        <ParamFilter system={system} name={name} params={params} />
      ) : null}
      {indexes.length === 0 ? null : <IndexFilter system={system} name={name} indexes={indexes} />}
      {!isAsked ? (
        <Empty title="Which ones?" text="Enter what to look up in the index." />
      ) : error !== undefined ? (
        <FailureNote error={error} again={again} />
      ) : data === undefined ? (
        <Skeleton rows={12} />
      ) : data.keys.length === 0 && cursor === undefined ? (
        <Nothing isFiltered={isFiltered} isPartial={data.partial} system={system} />
      ) : (
        <KeysGrid
          system={system}
          name={name}
          columns={data.columns}
          rows={data.keys}
          indexes={indexes}
          at={at}
          type={type}
        />
      )}
      <Pager
        onBack={cursors.length > 1 ? () => setCursors(cursors.slice(0, -1)) : undefined}
        onNext={data?.next === undefined ? undefined : () => setCursors([...cursors, data.next])}
        busy={page.loading}
      >
        {data === undefined || data.keys.length === 0
          ? ""
          : `${countText(from + 1)}–${countText(from + data.keys.length)}${
              isFiltered || data.total === undefined
                ? ""
                : ` of ${countText(Math.max(data.total, from + data.keys.length))}`
            }${data.partial ? ", still counting" : ""}`}
        {data === undefined ? null : (
          <ExportShown name={`${system}-${name}`} {...exportedKeys(data.columns, data.keys)} />
        )}
      </Pager>
    </div>
  )
}

interface NothingProps {
  readonly isFiltered: boolean
  readonly isPartial: boolean
  readonly system: string
}

function Nothing({ isFiltered, isPartial, system }: NothingProps) {
  if (isPartial)
    return (
      <Empty title="None found so far">
        <p>The first count is still running; keys appear as they are found.</p>
        <ScanLine names={[system]} />
      </Empty>
    )
  return isFiltered ? (
    <Empty title="No key matches the filter">
      <p>
        A parameter must match exactly; end it with <code>*</code> to match everything that begins with it.
      </p>
    </Empty>
  ) : (
    <Empty title="No keys of this pattern">
      <p>It is declared, but nothing is stored under it now.</p>
      <ScanLine names={[system]} />
    </Empty>
  )
}
