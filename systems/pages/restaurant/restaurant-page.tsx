import { useEffect } from "preact/hooks"
import { ShownText } from "studio/parts/shown-text.tsx"
import { LoginForm } from "../parts/login-form.tsx"
import { Frame } from "../shell/frame.tsx"
import { about, isDemo } from "../state/about.ts"
import { attempt } from "../state/notice.ts"
import { useFresh } from "../state/refresh.ts"
import { CartCard } from "./cart-card.tsx"
import { Kitchen } from "./kitchen.tsx"
import { loadKitchen } from "./kitchen-state.ts"
import { Menu } from "./menu.tsx"
import { Orders } from "./orders.tsx"
import { guest, isKnown, load, logIn, logOut, welcomeBack, why } from "./state.ts"

/** The restaurant: a menu, a cart, an order, and the kitchen. */
export function RestaurantPage() {
  useFresh(() => Promise.all([load(), loadKitchen()]))
  useEffect(welcomeBack, [])
  const who = guest.value
  if (who === undefined) return <Frame>{isKnown.value ? <WayIn /> : null}</Frame>
  return (
    <Frame account={<Account name={who.name} />}>
      <div class="page">
        <div class="page-head">
          <div>
            <h1>The restaurant</h1>
            <p class="lead">Order a soup, pay for it, and see the kitchen carry it on.</p>
          </div>
        </div>
        <div class="columns">
          <div class="stack">
            <Menu />
            <Kitchen />
          </div>
          <div class="stack">
            <CartCard />
            <Orders />
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
  const [name] = about.value?.access?.people["restaurant"] ?? []
  const [email, password] = name === undefined ? ["", ""] : [`${name}@example.com`, `demo-${name}-2024`]
  return (
    <div class="page">
      <LoginForm
        title="The restaurant"
        lead={isDemo.value ? "One of the guests; the password is filled in." : "Log in to order."}
        why={why.value}
        fields={[
          { name: "email", label: "E-mail", type: "email", value: email, autocomplete: "username" },
          { name: "password", label: "Password", type: "password", value: password, autocomplete: "current-password" },
        ]}
        onSubmit={({ email: given = "", password: secret = "" }) => logIn(given, secret)}
      />
    </div>
  )
}
