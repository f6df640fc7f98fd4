import type { ComponentChildren } from "preact"
import { arrowRows } from "./arrow-rows.ts"

/** Numbers are at the right; some heads are only read out. */
type Column = string | { readonly number: string } | { readonly unseen: string }

interface Props {
  /** Their heads; none for a table that needs no words. Undefined is a column that this table does not have. */
  readonly columns?: readonly (Column | undefined)[]
  /** Its classes besides `table`. */
  readonly class?: string
  /** Whether the arrow keys go from row to row. */
  readonly arrows?: boolean
  /** What it is called, where it can be scrolled with the keyboard. */
  readonly region?: string
  /** The classes of what scrolls besides `scroll`. */
  readonly room?: string
  /** The rows. */
  readonly children: ComponentChildren
}

export const Table = ({ columns, class: more = "", arrows, region, room = "", children }: Props) => (
  <div class={`scroll ${room}`} {...(region !== undefined && { tabIndex: 0, role: "region", "aria-label": region })}>
    <table class={`table ${more}`} onKeyDown={arrows ? arrowRows : undefined}>
      {columns === undefined ? null : (
        <thead>
          <tr>{columns.map((column, i) => (column === undefined ? null : <Head key={i} column={column} />))}</tr>
        </thead>
      )}
      <tbody>{children}</tbody>
    </table>
  </div>
)

function Head({ column }: { readonly column: Column }) {
  if (typeof column === "string") return <th>{column}</th>
  if ("number" in column) return <th class="number">{column.number}</th>
  return (
    <th>
      <span class="for-readers">{column.unseen}</span>
    </th>
  )
}
