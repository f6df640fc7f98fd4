import { useEffect } from "preact/hooks"
import { CartLink } from "../parts/cart-link.tsx"
import { LoginPage, passwordField } from "../parts/login-form.tsx"
import { Account } from "../shell/account.tsx"
import { Frame } from "../shell/frame.tsx"
import { Story } from "../shell/story.tsx"
import { about, isDemo } from "../state/about.ts"
import { useFresh } from "../state/refresh.ts"
import { CartCard } from "./cart-card.tsx"
import { Kitchen } from "./kitchen.tsx"
import { loadKitchen } from "./kitchen-state.ts"
import { Menu } from "./menu.tsx"
import { Orders } from "./orders.tsx"
import { guest, inCart, isKnown, load, logIn, logOut, welcomeBack, why } from "./state.ts"

/** The restaurant: a menu, a cart, an order, and the kitchen. */
export function RestaurantPage() {
  useFresh(() => Promise.all([load(), loadKitchen()]))
  useEffect(() => void welcomeBack().catch(() => undefined), [])
  const who = guest.value
  if (who === undefined) return isKnown.value ? <WayIn /> : <Frame />
  return (
    <Story
      account={<Account name={who.name} onLeave={logOut} />}
      title="The restaurant"
      lead="Order a soup, pay for it, then step into the kitchen and see it delivered."
      beside={<CartLink count={inCart.value} />}
      aside={
        <>
          <CartCard />
          <Orders />
        </>
      }
    >
      <Menu />
      <div class="last-on-phone">
        <Kitchen />
      </div>
    </Story>
  )
}

function WayIn() {
  const [name] = about.value?.access?.people["restaurant"] ?? []
  const [email, password] = name === undefined ? ["", ""] : [`${name}@example.com`, `demo-${name}-2024`]
  return (
    <LoginPage
      title="The restaurant"
      lead={isDemo.value ? "A guest's account is filled in: just log in." : "Log in to order."}
      why={why.value}
      fields={[
        { name: "email", label: "E-mail", type: "email", value: email, autocomplete: "username" },
        { ...passwordField, value: password },
      ]}
      onSubmit={({ email: given = "", password: secret = "" }) => logIn(given, secret)}
    />
  )
}
