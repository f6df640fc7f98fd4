import { CartRows } from "../parts/cart-rows.tsx"
import { counted } from "../parts/counted.ts"
import { attempt } from "../state/notice.ts"
import { cart, emptyCart, inCart, itemName, setQuantity } from "./state.ts"

export const Cart = () => (
  <CartRows
    rows={[...cart.value].map(([id, quantity]) => ({ id, name: itemName(id), quantity }))}
    aside={counted(inCart.value, "item")}
    empty="Nothing in it yet."
    onSet={({ id }, quantity) => setQuantity(id, quantity)}
  >
    <p class="body">
      <button type="button" class="button small" onClick={() => void attempt(emptyCart)}>
        Empty the cart
      </button>
    </p>
  </CartRows>
)
