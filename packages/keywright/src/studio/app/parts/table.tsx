import type { ComponentChildren } from "preact"
import { arrowRows } from "./arrow-rows.ts"

/** Numbers are at the right; undefined is a column that this table does not have. */
type Column = string | { readonly number: string } | undefined

interface Props {
  /** Their heads; none for a table that needs no words. */
  readonly columns?: readonly Column[]
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
          <tr>
            {columns.map((column) =>
              column === undefined ? null : typeof column === "string" ? (
                <th key={column}>{column}</th>
              ) : (
                <th key={column.number} class="number">
                  {column.number}
                </th>
              ),
            )}
          </tr>
        </thead>
      )}
      <tbody>{children}</tbody>
    </table>
  </div>
)
