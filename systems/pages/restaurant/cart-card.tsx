import { CartRows } from "../parts/cart-rows.tsx"
import { CheckoutForm } from "./checkout-form.tsx"
import { cart, setQuantity } from "./state.ts"
import { price } from "./wire.ts"

/** What is to be ordered, and for whom. */
export const CartCard = () => (
  <CartRows
    rows={cart.value.items.map(({ id, name, quantity, total }) => ({
      id,
      name: name ?? "no longer on the menu",
      quantity,
      note: price(total),
    }))}
    aside={price(cart.value.total)}
    empty="Choose something from the menu."
    onSet={({ id, name }, quantity) => setQuantity(id, name, quantity)}
  >
    <CheckoutForm />
  </CartRows>
)
