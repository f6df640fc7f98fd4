import { Account } from "../shell/account.tsx"
import { Frame } from "../shell/frame.tsx"
import { Story } from "../shell/story.tsx"
import { CartLink } from "../parts/cart-link.tsx"
import { LoginPage, passwordField } from "../parts/login-form.tsx"
import { about, isDemo } from "../state/about.ts"
import { useFresh } from "../state/refresh.ts"
import { Cart } from "./cart.tsx"
import { ItemPanel } from "./item-panel.tsx"
import { Items } from "./items.tsx"
import { Popular } from "./popular.tsx"
import { RecentlyViewed } from "./recently-viewed.tsx"
import { inCart, isKnown, load, logIn, logOut, opened, user, why } from "./state.ts"

/** The shop: look at things, put some into the cart. */
export function ShopPage() {
  useFresh(load)
  const name = user.value
  if (name === undefined) return isKnown.value ? <WayIn /> : <Frame />
  return (
    <Story
      account={<Account name={name} onLeave={logOut} />}
      title="The shop"
      lead="Look at things and put some into your cart. The most viewed come first."
      beside={<CartLink count={inCart.value} />}
      aside={
        <>
          <Cart />
          <RecentlyViewed />
          <Popular />
        </>
      }
    >
      {opened.value === undefined ? null : <ItemPanel opened={opened.value} />}
      <Items />
    </Story>
  )
}

function WayIn() {
  const [first = ""] = about.value?.access?.people["shop"] ?? []
  return (
    <LoginPage
      title="The shop"
      lead={isDemo.value ? "Any name will do: this is a demonstration." : "Log in to look around and to fill a cart."}
      why={why.value}
      fields={[
        { name: "user", label: "Your name", value: first, autocomplete: "username" },
        ...(isDemo.value ? [] : [{ ...passwordField, optional: true }]),
      ]}
      onSubmit={({ user: given = "", password }) => logIn(given, password)}
    />
  )
}
