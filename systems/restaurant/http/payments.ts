import * as z from "zod"
import { RouteReply } from "../../platform/http/answer.ts"
import type { Exchange } from "../../platform/http/exchange.ts"
import { badRequest } from "../../platform/http/problem.ts"
import { route } from "../../platform/http/route.ts"
import { messages, type Payments, type Processed } from "../services/payments.ts"
import { shown } from "../services/orders.ts"
import type { RestaurantSettings } from "../settings.ts"
import type { BuyerIp } from "./buyer-ip.ts"
import { OrderId, ShownOrder } from "./fields.ts"
import { everyone, staff, type Guard } from "./guard.ts"
import { vnPayParams } from "./vnpay-params.ts"

export const paymentRoutes = (
  guarded: Guard,
  payments: Payments,
  { frontendUrl }: RestaurantSettings,
  ipOf: BuyerIp,
) => {
  /** The browser comes back from VNPay: it is sent on to our own front end, and never elsewhere (RST-30). */
  const callback = (method: "GET" | "POST") =>
    route(`${method} /payment/vnpay/callback`, {
      summary: "VNPay sends the browser back here after a payment.",
      query: "any",
      readsBody: true,
      status: 302,
      errors: [400, 413, 415],
      async handle({ http }) {
        const processed = await payments.process(await vnPayParams(http))
        if (processed.code === "97")
          throw badRequest("invalid_signature", "this was not signed by VNPay for this restaurant")
        return redirect(frontendUrl ?? "/", processed)
      },
    })

  return [
    callback("POST"),
    callback("GET"),
    route("GET /payment/vnpay/ipn", {
      summary: "VNPay reports the result of a payment, from server to server.",
      query: "any",
      answer: z.object({ RspCode: z.string(), Message: z.string() }),
      async handle({ http }) {
        const { code } = await payments.process(await readable(http))
        return { RspCode: code, Message: messages[code] }
      },
    }),
    guarded("PAYMENTS", { roles: everyone })("POST /payment/vnpay/order/{id}", {
      summary: "Another attempt to pay an order through VNPay.",
      params: { id: OrderId },
      answer: z.object({ paymentUrl: z.string() }),
      errors: [404, 409],
      handle: async ({ caller, params, http }) => ({ paymentUrl: await payments.retry(params.id, caller, ipOf(http)) }),
    }),
    guarded("PAYMENTS", { roles: staff })("POST /payment/cash/confirm/{id}", {
      summary: "An order was paid in cash.",
      params: { id: OrderId },
      answer: ShownOrder,
      errors: [404, 409],
      handle: async ({ params }) => shown(await payments.confirmCash(params.id)),
    }),
  ]
}

/** What cannot be read has no signature either. */
const readable = (http: Exchange) => vnPayParams(http).catch(() => ({}))

function redirect(frontendUrl: string, { code, order, restaurant }: Processed): RouteReply {
  const result = new URLSearchParams({
    ...(order && { orderId: order.id }),
    ...(restaurant !== undefined && { restaurant }),
    status: code === "00" || code === "02" ? order!.paymentStatus : "ERROR",
    code,
  })
  const [address, fragment] = frontendUrl.split("#", 2) as [string, string | undefined]
  const mark = address.includes("?") ? "&" : "?"
  const Location = `${address}${mark}${result}${fragment === undefined ? "" : `#${fragment}`}`
  return new RouteReply(302, undefined, { Location })
}
