/* The keys of a pattern, page by page. The filter is in the address, so that it can be
 * kept and shared; cursors of the pages that were seen are kept to go back. */

import { useEffect, useState } from "preact/hooks"
import { bytesText, countText } from "../../../render/quantity.ts"
import type { KeyRow, ParamInfo } from "../../api.ts"
import { arrowRows } from "../parts/arrow-rows.ts"
import { Empty } from "../parts/empty.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { KeyLinkText } from "../parts/key-link.tsx"
import { Pager } from "../parts/pager.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { Ttl } from "../parts/ttl.tsx"
import { TypeName } from "../parts/type-name.tsx"
import { call } from "../state/call.ts"
import { route } from "../state/route.ts"
import { scans } from "../state/studio.ts"
import { useAnswer } from "../state/use-answer.ts"
import { ParamFilter } from "./param-filter.tsx"
import { ScanLine } from "../overview/scan-line.tsx"

const PAGE = 50

interface Props {
  readonly system: string
  readonly name: string
  readonly params: readonly ParamInfo[]
  /** The declared one; of unknown keys there is none. */
  readonly type: string | undefined
}

export function KeysTable({ system, name, params, type }: Props) {
  const filter = Object.fromEntries(
    Object.entries(route.value.query).filter(([param]) => param.startsWith("p.")),
  ) as Record<`p.${string}`, string>
  const filterText = JSON.stringify(filter)
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined])
  useEffect(() => setCursors([undefined]), [filterText])
  const cursor = cursors.at(-1)
  const round = scans.value[system]?.round ?? 0
  const [at, setAt] = useState(Date.now())
  const page = useAnswer(`${system} ${name} ${filterText} ${cursor ?? ""} ${round === 0 ? 0 : 1}`, async (signal) => {
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
      {params.some(({ secret }) => !secret) ? <ParamFilter system={system} name={name} params={params} /> : null}
      {error !== undefined ? (
        <FailureNote error={error} again={again} />
      ) : data === undefined ? (
        <Skeleton rows={12} />
      ) : data.keys.length === 0 && cursor === undefined ? (
        <Nothing isFiltered={isFiltered} isPartial={data.partial} system={system} />
      ) : (
        <Rows system={system} rows={data.keys} at={at} type={type} />
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
      </Pager>
    </div>
  )
}

interface RowsProps {
  readonly system: string
  readonly rows: readonly KeyRow[]
  readonly at: number
  readonly type: string | undefined
}

function Rows({ system, rows, at, type }: RowsProps) {
  // The type is said where it is not the same for all.
  const withType = rows.some((row) => row.type !== type)
  const longest = Math.max(...rows.map(({ key }) => key.length))
  return (
    <div class="scroll">
      <table class="table keys-table" style={{ "--key": `${longest}ch` }} onKeyDown={arrowRows}>
        <thead>
          <tr>
            <th class="key-column">Key</th>
            <th>Value</th>
            {withType ? <th class="type-column">Type</th> : null}
            <th class="number ttl-column">TTL</th>
            <th class="number size-column">Size</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr class="go" key={`${row.db} ${row.ref}`}>
              <td class="key-cell">
                <KeyLinkText system={system} link={row} row />
              </td>
              <td class="preview quiet">
                <span class="cut">{row.preview === undefined ? "" : <ShownText text={row.preview} />}</span>
              </td>
              {withType ? (
                <td>
                  <TypeName type={row.type} />
                </td>
              ) : null}
              <td class="number">
                <Ttl ms={row.ttlMs} at={at} />
              </td>
              <td class="number">{row.bytes === null ? "–" : bytesText(row.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
        <p>The first count is still under way; keys appear as they are found.</p>
        <ScanLine names={[system]} />
      </Empty>
    )
  return isFiltered ? (
    <Empty title="No key fits the filter">
      <p>
        A parameter must match exactly; end it with <code>*</code> for everything that begins so.
      </p>
    </Empty>
  ) : (
    <Empty title="No keys of this pattern">
      <p>It is declared, and nothing is stored under it now.</p>
      <ScanLine names={[system]} />
    </Empty>
  )
}
