import { type Order, STATUS_LABELS, STATUSES } from "./wire.ts"

/** How far an order is. */
export function OrderSteps({ status }: { readonly status: Order["status"] }) {
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
