import { counted } from "./counted.ts"

/** To the cart, which is far below on a phone. Nothing while it is empty. */
export const CartLink = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <a class="button small cart-link" href="#cart">
      {counted(count, "item")} in your cart
    </a>
  )
