import { CartRows } from "../parts/cart-rows.tsx"
import { counted } from "../parts/counted.ts"
import { ActButton } from "../parts/act-button.tsx"
import { cart, emptyCart, inCart, itemName, setQuantity } from "./state.ts"

export const Cart = () => (
  <CartRows
    rows={[...cart.value].map(([id, quantity]) => ({ id, name: itemName(id), quantity }))}
    aside={counted(inCart.value, "item")}
    empty="Nothing in it yet."
    onSet={({ id }, quantity) => setQuantity(id, quantity)}
  >
    <p class="body">
      <ActButton onAct={emptyCart}>Empty the cart</ActButton>
    </p>
  </CartRows>
)
