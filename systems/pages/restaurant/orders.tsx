import { Card } from "studio/parts/card.tsx"
import { ActButton } from "../parts/act-button.tsx"
import { orders, payAgain } from "./state.ts"
import { type Order, price, STATUS_LABELS, STATUSES } from "./wire.ts"

/** The guest's own orders, the newest first. */
export const Orders = () => (
  <Card title="Your orders" class="orders">
    {orders.value.length === 0 ? (
      <p class="body quiet small">None yet. What you order appears here, with its status.</p>
    ) : null}
    <ul class="row-list">
      {orders.value.map((order) => (
        <li key={order.id} class="order">
          <span class="order-line">
            <b>Order {order.id}</b>
            <span>{price(order.totalPrice)}</span>
            <span class={order.paymentStatus === "PAID" ? "badge good" : "badge warn"}>
              {order.paymentStatus === "PAID"
                ? "paid"
                : order.paymentStatus === "FAILED"
                  ? "payment failed"
                  : "not paid"}
            </span>
          </span>
          <OrderSteps status={order.status} />
          {order.paymentMethod === "VNPAY" && order.paymentStatus !== "PAID" && order.status !== "CANCELLED" ? (
            <ActButton onAct={() => payAgain(order.id)}>Pay order {order.id}</ActButton>
          ) : null}
        </li>
      ))}
    </ul>
  </Card>
)

/** How far an order is. */
function OrderSteps({ status }: { readonly status: Order["status"] }) {
  if (status === "CANCELLED") return <span class="badge bad">{STATUS_LABELS.CANCELLED}</span>
  const at = STATUSES.indexOf(status)
  return (
    <ol class="order-steps">
      {STATUSES.map((one, i) => (
        <li key={one} class={i <= at ? "done" : ""} aria-current={i === at ? "step" : undefined}>
          {STATUS_LABELS[one]}
        </li>
      ))}
    </ol>
  )
}
