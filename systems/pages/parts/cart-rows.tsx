import type { ComponentChildren } from "preact"
import { Card } from "studio/parts/card.tsx"
import { IconButton } from "studio/parts/icon-button.tsx"
import { ShownText } from "studio/parts/shown-text.tsx"
import { attempt } from "../state/notice.ts"

export interface CartRow {
  readonly id: string
  readonly name: string
  readonly quantity: number
  /** Below the name. */
  readonly note?: string
}

interface Props {
  readonly rows: readonly CartRow[]
  /** Right of the title, while there is something in it. */
  readonly aside: string
  /** While there is nothing in it. */
  readonly empty: string
  readonly onSet: (row: CartRow, quantity: number) => Promise<unknown>
  /** Below the rows, while there are any. */
  readonly children: ComponentChildren
}

/** A cart: what is in it, and how many of each. */
export const CartRows = ({ rows, aside, empty, onSet, children }: Props) => (
  <div id="cart">
    <Card title="Your cart" aside={rows.length === 0 ? undefined : aside} class="cart">
      {rows.length === 0 ? <p class="body quiet small">{empty}</p> : null}
      <ul class="row-list">
        {rows.map((row) => (
          <li key={row.id}>
            <span class="named">
              <ShownText text={row.name} />
              {row.note === undefined ? null : <span class="quiet small">{row.note}</span>}
            </span>
            <Steps row={row} onSet={onSet} />
          </li>
        ))}
      </ul>
      {rows.length === 0 ? null : children}
    </Card>
  </div>
)

function Steps({ row, onSet }: { readonly row: CartRow; readonly onSet: Props["onSet"] }) {
  const set = (quantity: number) => void attempt(() => onSet(row, quantity))
  return (
    <span class="steps">
      <IconButton tiny icon="minus" label={`One ${row.name} less`} onClick={() => set(row.quantity - 1)} />
      <b>{row.quantity}</b>
      <IconButton tiny icon="plus" label={`One ${row.name} more`} onClick={() => set(row.quantity + 1)} />
    </span>
  )
}
