/* A payment page of our own, which signs as VNPay does: the restaurant sends the browser
 * here, somebody pays or does not, the result goes to the restaurant from server to server
 * (IPN), and the browser goes back with it. */

import type { HttpBindings } from "@hono/node-server"
import type { Hono } from "hono"
import type { IncomingMessage } from "node:http"
import { jsonBody, parseBody } from "../platform/http/body.ts"
import { problemResponse } from "../platform/http/answer.ts"
import { badRequest, Problem } from "../platform/http/problem.ts"
import type { Http } from "../platform/http/route.ts"
import { wantsHtml } from "../platform/pages/page-html.ts"
import { forOwnPage } from "../platform/pages/same-origin.ts"
import type { ServePage } from "../platform/pages/page-routes.ts"
import { signature, signedText, type VnPayParams } from "../restaurant/services/vnpay.ts"
import { SANDBOX, TMN_CODE, type DemoAccess } from "./access.ts"

/** What VNPay says about a payment: 24 is "cancelled by the customer". */
const PAID = "00"
const CANCELLED = "24"

export function addSandbox(
  app: Hono<{ Bindings: HttpBindings }>,
  servePage: ServePage,
  { vnpaySecret }: Pick<DemoAccess, "vnpaySecret">,
  restaurantUrl: string,
): void {
  app.get(SANDBOX, (http, next) =>
    wantsHtml(http.env.incoming.headers.accept)
      ? servePage(http as Http, "vnpay", "", "VNPay sandbox", "restaurant")
      : next(),
  )
  let transactions = 14_000_000

  /** `{ query, pays }`: what the restaurant signed, and whether it is paid. Answers where the browser goes. */
  const pay = async (http: Http): Promise<Response> => {
    const asked = await askedOf(http.env.incoming)
    if (asked === undefined || !isSigned(asked.params, vnpaySecret))
      return problemResponse(http, badRequest("bad_signature", "the restaurant has not signed this"))
    const result = resultOf(asked.params, asked.pays, String(transactions++))
    const signed = signedText(result)
    const search = `${signed}&vnp_SecureHash=${signature(vnpaySecret, signed)}`
    // What the restaurant does about it is recorded for the page that paid.
    const headers = headersToPass(http.env.incoming)
    const told = await fetch(`${restaurantUrl}/payment/vnpay/ipn?${search}`, { headers })
    const { RspCode = "99" } = (await told.json()) as { RspCode?: string }
    return http.json({ to: `${asked.params["vnp_ReturnUrl"]}?${search}`, told: RspCode })
  }
  app.post(`${SANDBOX}/pay`, (http) => forOwnPage(http as Http, () => pay(http as Http)))
}

const PASSED = ["x-request-id", "x-show-commands"]
const headersToPass = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(PASSED.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]]] : [])))

const MOST_BYTES = 65_536

/** Undefined when the body is something else. */
async function askedOf(incoming: IncomingMessage): Promise<{ params: VnPayParams; pays: boolean } | undefined> {
  try {
    const body = parseBody(await jsonBody(incoming, MOST_BYTES, false)!.bytes(), false)
    const { query, pays } = Object(body) as { query?: unknown; pays?: unknown }
    if (typeof query !== "string") return undefined
    return { params: Object.fromEntries(new URLSearchParams(query)), pays: pays === true }
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
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
