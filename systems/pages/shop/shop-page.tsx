import { Frame } from "../shell/frame.tsx"
import { LoginForm } from "../parts/login-form.tsx"
import { isDemo, about } from "../state/about.ts"
import { attempt } from "../state/notice.ts"
import { useFresh } from "../state/refresh.ts"
import { ShownText } from "studio/parts/shown-text.tsx"
import { Cart } from "./cart.tsx"
import { ItemPanel } from "./item-panel.tsx"
import { Items } from "./items.tsx"
import { Popular } from "./popular.tsx"
import { RecentlyViewed } from "./recently-viewed.tsx"
import { isKnown, load, logIn, logOut, opened, user, why } from "./state.ts"

/** The shop: look at things, put some into the cart. */
export function ShopPage() {
  useFresh(load)
  const name = user.value
  if (name === undefined) return <Frame>{isKnown.value ? <WayIn /> : null}</Frame>
  return (
    <Frame account={<Account name={name} />}>
      <div class="page">
        <div class="page-head">
          <div>
            <h1>The shop</h1>
            <p class="lead">
              Look at things and put some into your cart. What is popular here is what people look at, in this minute.
            </p>
          </div>
        </div>
        <div class="columns">
          <div class="stack">
            {opened.value === undefined ? null : <ItemPanel opened={opened.value} />}
            <Items />
          </div>
          <div class="stack">
            <Cart />
            <RecentlyViewed />
            <Popular />
          </div>
        </div>
      </div>
    </Frame>
  )
}

const Account = ({ name }: { readonly name: string }) => (
  <div class="account">
    <b class="cut">
      <ShownText text={name} />
    </b>
    <button type="button" class="button small" onClick={() => void attempt(logOut)}>
      Log out
    </button>
  </div>
)

function WayIn() {
  const isOpen = isDemo.value
  const [first = ""] = about.value?.access?.people["shop"] ?? []
  return (
    <div class="page">
      <LoginForm
        title="The shop"
        lead={isOpen ? "Any name will do: this is a demonstration." : "Log in to look around and to fill a cart."}
        why={why.value}
        fields={[
          { name: "user", label: "Your name", value: first, autocomplete: "username" },
          ...(isOpen
            ? []
            : [
                {
                  name: "password",
                  label: "Password",
                  type: "password" as const,
                  optional: true,
                  autocomplete: "current-password",
                },
              ]),
        ]}
        onSubmit={({ user: given = "", password }) => logIn(given, password)}
      />
    </div>
  )
}
