import { type Order, STATUSES } from "./wire.ts"

/** How far an order is. */
export function OrderSteps({ status }: { readonly status: Order["status"] }) {
  if (status === "CANCELLED") return <span class="badge bad">cancelled</span>
  const at = STATUSES.indexOf(status)
  return (
    <ol class="order-steps">
      {STATUSES.map((one, i) => (
        <li key={one} class={i <= at ? "done" : ""} aria-current={i === at ? "step" : undefined}>
          {one.toLowerCase()}
        </li>
      ))}
    </ol>
  )
}
