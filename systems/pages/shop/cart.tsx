import { Card } from "studio/parts/card.tsx"
import { IconButton } from "studio/parts/icon-button.tsx"
import { ShownText } from "studio/parts/shown-text.tsx"
import { attempt } from "../state/notice.ts"
import { cart, emptyCart, inCart, nameOf, setQuantity } from "./state.ts"

export function Cart() {
  const items = Object.entries(cart.value)
  const set = (item: string, quantity: number) => void attempt(() => setQuantity(item, quantity))
  return (
    <Card title="Your cart" aside={inCart.value === 0 ? undefined : `${inCart.value} items`} class="cart">
      {items.length === 0 ? <p class="body quiet small">Nothing in it yet.</p> : null}
      <ul class="row-list">
        {items.map(([item, quantity]) => (
          <li key={item}>
            <span class="cut">
              <ShownText text={nameOf(item)} />
            </span>
            <span class="steps">
              <IconButton
                tiny
                icon="minus"
                label={`One ${nameOf(item)} less`}
                onClick={() => set(item, quantity - 1)}
              />
              <b>{quantity}</b>
              <IconButton tiny icon="plus" label={`One ${nameOf(item)} more`} onClick={() => set(item, quantity + 1)} />
            </span>
          </li>
        ))}
      </ul>
      {items.length === 0 ? null : (
        <p class="body">
          <button type="button" class="button small" onClick={() => void attempt(emptyCart)}>
            Empty the cart
          </button>
        </p>
      )}
    </Card>
  )
}
