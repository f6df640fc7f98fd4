/* Keys as a grid: the declared fields as columns, each value decoded, links where a value leads to
 * another key. Keys without fields have one value, or a short look at what they hold. */

import { bytesText } from "../../../render/quantity.ts"
import { isRefused, refusedText } from "../../../render/unreadable-text.ts"
import type { Cell, GridColumn, IndexInfo, KeyRow } from "../../api.ts"
import { arrowRows } from "../parts/arrow-rows.ts"
import { Icon } from "../parts/icon.tsx"
import { KeyLinkText } from "../parts/key-link.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { Ttl } from "../parts/ttl.tsx"
import { TypeName } from "../parts/type-name.tsx"
import { go, href, route } from "../state/route.ts"
import { CellView } from "./cell-view.tsx"

interface Props {
  readonly system: string
  readonly name: string
  readonly columns: readonly GridColumn[]
  readonly rows: readonly KeyRow[]
  readonly indexes: readonly IndexInfo[]
  /** When the TTLs were read. */
  readonly at: number
  /** The declared one; of unknown keys there is none. */
  readonly type: string | undefined
}

export function KeysGrid({ system, name, columns, rows, indexes, at, type }: Props) {
  // The type is said where it is not the same for all.
  const withType = rows.some((row) => row.type !== type)
  const longest = Math.max(...rows.map(({ key }) => key.length))
  const shown = columns.length === 0 ? [{ name: "Value", type: "", secret: false }] : columns
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Keys">
      <table
        class={columns.length > 1 ? "table keys-table grid" : "table keys-table"}
        style={{ "--key": `${longest}ch` }}
        onKeyDown={arrowRows}
      >
        <thead>
          <tr>
            <th class="key-column">Key</th>
            {shown.map((column) => (
              <ColumnHead key={column.name} system={system} name={name} column={column} indexes={indexes} />
            ))}
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
              <Held system={system} row={row} count={shown.length} />
              {withType ? (
                <td>
                  <TypeName type={row.type} />
                </td>
              ) : null}
              <td class="number">
                <Ttl ms={row.ttlMs} at={at} refused={isRefused(row, "PTTL")} />
              </td>
              <td class="number">{row.bytes === null ? "–" : bytesText(row.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeldProps {
  readonly system: string
  readonly row: KeyRow
  readonly count: number
}

function Held({ system, row: { cells, preview, unreadable }, count }: HeldProps) {
  if (cells === undefined || cells.length === 0)
    return (
      <td class="preview quiet" colSpan={count}>
        <span class="cut">{preview === undefined ? "" : <ShownText text={preview} />}</span>
        {unreadable === undefined ? null : (
          <span class="badge warn" title={refusedText(unreadable).join("\n")}>
            not readable
          </span>
        )}
      </td>
    )
  return (
    <>
      {cells.map((cell, i) => (
        <td key={i} class="grid-cell">
          <span class="cut">
            {isAbsent(cell) ? <span class="quiet">–</span> : <CellView system={system} cell={cell} form="decoded" />}
          </span>
        </td>
      ))}
    </>
  )
}

const isAbsent = ({ decoded, raw, error }: Cell): boolean =>
  decoded === undefined && raw === undefined && error === undefined

interface HeadProps {
  readonly system: string
  readonly name: string
  readonly column: GridColumn
  readonly indexes: readonly IndexInfo[]
}

/** A field that an index without parameters is ordered by can be sorted by. */
function ColumnHead({ system, name, column, indexes }: HeadProps) {
  const { query } = route.value
  const index = indexes.find(
    ({ score, params, name: own }) => score === column.name && (params.length === 0 || own === query["index"]),
  )
  if (index === undefined)
    return (
      <th class="grid-head" title={column.type}>
        <ShownText text={column.name} />
      </th>
    )
  const isSorted = query["index"] === index.name
  const isDescending = isSorted && query["descending"] === "1"
  const params = Object.fromEntries(Object.entries(query).filter(([one]) => isSorted && one.startsWith("x.")))
  const next = isSorted
    ? { index: index.name, ...params, descending: isDescending ? undefined : "1" }
    : { index: index.name }
  return (
    <th
      class="grid-head"
      title={column.type}
      aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : "none"}
    >
      <button
        type="button"
        class="sort"
        onClick={() => go(href("browse", [system, name], next), "replace")}
        aria-label={`Sort by ${column.name}`}
      >
        <ShownText text={column.name} />
        <Icon name={isSorted ? (isDescending ? "down" : "up") : "updown"} />
      </button>
    </th>
  )
}
