/* A payment page of our own, which signs as VNPay does: the restaurant sends the browser
 * here, somebody pays or does not, the result goes to the restaurant from server to server
 * (IPN), and the browser goes back with it. */

import type { HttpBindings } from "@hono/node-server"
import type { Hono } from "hono"
import { problemResponse } from "../platform/http/problem-response.ts"
import { badRequest } from "../platform/http/problem.ts"
import { requestId } from "../platform/http/request-id.ts"
import type { Http } from "../platform/http/route.ts"
import { wantsHtml } from "../platform/pages/page-html.ts"
import type { ServePage } from "../platform/pages/page-routes.ts"
import { signature, signedText, type VnPayParams } from "../restaurant/services/vnpay.ts"
import { SANDBOX, TMN_CODE, type DemoAccess } from "./access.ts"

/** What VNPay says of a payment: 24 is "cancelled by the customer". */
const PAID = "00"
const CANCELLED = "24"

export function addSandbox(
  app: Hono<{ Bindings: HttpBindings }>,
  servePage: ServePage,
  { vnpaySecret }: Pick<DemoAccess, "vnpaySecret">,
  restaurantUrl: string,
): void {
  app.get(SANDBOX, (http, next) =>
    wantsHtml(http.env.incoming.headers.accept) ? servePage(http as Http, "vnpay", "", "VNPay sandbox") : next(),
  )
  let transactions = 14_000_000

  /** `{ query, pays }`: what the restaurant signed, and whether it is paid. Answers where the browser goes. */
  app.post(`${SANDBOX}/pay`, async (http) => {
    requestId(http.env.incoming, http.env.outgoing)
    const { query, pays } = (await http.req.json().catch(() => ({}))) as { query?: unknown; pays?: unknown }
    const asked = Object.fromEntries(new URLSearchParams(typeof query === "string" ? query : ""))
    if (!isSigned(asked, vnpaySecret))
      return problemResponse(http as Http, badRequest("bad_signature", "the restaurant has not signed this"))
    const result = resultOf(asked, pays === true, String(transactions++))
    const signed = signedText(result)
    const search = `${signed}&vnp_SecureHash=${signature(vnpaySecret, signed)}`
    const told = await fetch(`${restaurantUrl}/payment/vnpay/ipn?${search}`)
    const { RspCode = "99" } = (await told.json()) as { RspCode?: string }
    return http.json({ to: `${asked["vnp_ReturnUrl"]}?${search}`, told: RspCode })
  })
}

/** As the restaurant checks what comes from VNPay. */
function isSigned({ vnp_SecureHash: given, ...rest }: VnPayParams, secret: string): boolean {
  return rest["vnp_TmnCode"] === TMN_CODE && given === signature(secret, signedText(rest))
}

function resultOf(asked: VnPayParams, pays: boolean, number: string): VnPayParams {
  const code = pays ? PAID : CANCELLED
  return {
    vnp_Amount: asked["vnp_Amount"] ?? "",
    vnp_BankCode: "NCB",
    vnp_CardType: "ATM",
    vnp_OrderInfo: asked["vnp_OrderInfo"] ?? "",
    vnp_PayDate: asked["vnp_CreateDate"] ?? "",
    vnp_ResponseCode: code,
    vnp_TmnCode: TMN_CODE,
    vnp_TransactionNo: pays ? number : "0",
    vnp_TransactionStatus: pays ? PAID : "02",
    vnp_TxnRef: asked["vnp_TxnRef"] ?? "",
  }
}
