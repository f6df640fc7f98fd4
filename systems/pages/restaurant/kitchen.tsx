import { Card } from "studio/parts/card.tsx"
import { ShownText } from "studio/parts/shown-text.tsx"
import { LoginForm } from "../parts/login-form.tsx"
import { isDemo } from "../state/about.ts"
import { ActButton } from "../parts/act-button.tsx"
import { enterKitchen, isIn, moveOn, nextOf, openKitchen, waiting } from "./kitchen-state.ts"
import { type Order, price, STATUS_LABELS } from "./wire.ts"

/** What the kitchen does to get an order there. */
const STEPS: Readonly<Partial<Record<Order["status"], string>>> = {
  CONFIRMED: "Confirm",
  DELIVERING: "Send out",
  DELIVERED: "Mark delivered",
}

/** All orders, and the next step of each. */
export function Kitchen() {
  if (!isIn.value) return isDemo.value ? <Door /> : <KitchenLogin />
  return (
    <Card title="The kitchen" aside="all orders, the newest first">
      <ul class="row-list">
        {waiting.value.map((order) => {
          const next = nextOf(order)
          return (
            <li key={order.id}>
              <span class="named">
                <b>
                  Order {order.id}, <ShownText text={order.receiverName} />
                </b>
                <span class="quiet small">
                  {price(order.totalPrice)} · {STATUS_LABELS[order.status]}
                </span>
              </span>
              {next === undefined ? null : (
                <ActButton onAct={() => moveOn(order)}>
                  {STEPS[next]}
                  <span class="for-readers"> order {order.id}</span>
                </ActButton>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const Door = () => (
  <Card title="The kitchen">
    <p class="body">
      <ActButton class="button" onAct={openKitchen}>
        Go into the kitchen
      </ActButton>
      <span class="quiet small"> See all orders, and move yours along.</span>
    </p>
  </Card>
)

const KitchenLogin = () => (
  <LoginForm
    title="The kitchen"
    lead="For staff."
    fields={[
      { name: "email", label: "E-mail of the kitchen", type: "email" },
      { name: "password", label: "Password of the kitchen", type: "password" },
    ]}
    onSubmit={({ email = "", password = "" }) => enterKitchen(email, password)}
  />
)
