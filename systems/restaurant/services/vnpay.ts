/* VNPay, PAY 2.1.0: the address of a payment page, and whether parameters that come back
 * were signed by VNPay. Nothing is stored here (RST-26, RST-27). */

import { createHmac, timingSafeEqual } from "node:crypto"
import type { Order } from "../context.ts"

export interface VnPaySettings {
  readonly tmnCode: string
  readonly hashSecret: string
  readonly payUrl: string
  readonly returnUrl: string
  /** One of several that VNPay knows by one terminal: their references begin with it. */
  readonly restaurant?: string | undefined
  readonly now: () => Date
}

export type VnPayParams = Readonly<Record<string, string>>

const EXPIRES_MS = 15 * 60_000
const VIETNAM_MS = 7 * 3_600_000

export interface VnPay {
  paymentUrl(order: Order, ip: string): string
  /** Whether VNPay signed these, for us: what we signed ourselves, and gave away in the address of a payment page, is not. */
  isGenuine(params: VnPayParams): boolean
}

export function vnPay({ tmnCode, hashSecret, payUrl, returnUrl, restaurant, now }: VnPaySettings): VnPay {
  return {
    paymentUrl({ id, totalPrice, paymentRef }, ip) {
      const created = now()
      const query = signedText({
        vnp_Version: "2.1.0",
        vnp_Command: "pay",
        vnp_TmnCode: tmnCode,
        vnp_Amount: amountOf(totalPrice),
        vnp_CurrCode: "VND",
        vnp_TxnRef: restaurant === undefined ? paymentRef! : `${restaurant}_${paymentRef!}`,
        vnp_OrderInfo: `Thanh toan don hang ${id}`,
        vnp_OrderType: "other",
        vnp_Locale: "vn",
        vnp_ReturnUrl: returnUrl,
        vnp_IpAddr: ip,
        vnp_CreateDate: vietnamTime(created),
        vnp_ExpireDate: vietnamTime(new Date(created.getTime() + EXPIRES_MS)),
      })
      const mark = payUrl.includes("?") ? "&" : "?"
      return `${payUrl}${mark}${query}&vnp_SecureHash=${signature(hashSecret, query)}`
    },

    isGenuine(params) {
      const { vnp_SecureHash: given = "", vnp_SecureHashType: _, ...rest } = params
      const own = Object.entries(rest).filter(([name]) => name.startsWith("vnp_"))
      const expected = Buffer.from(signature(hashSecret, signedText(Object.fromEntries(own))))
      const found = Buffer.from(given)
      const isSigned = expected.length === found.length && timingSafeEqual(expected, found)
      return isSigned && params["vnp_TmnCode"] === tmnCode && isResult(params)
    },
  }
}

/**
 * What only VNPay adds; and a command is what only we send. Both sides sign with one secret, so nothing else
 * distinguishes them.
 */
const RESULT = ["vnp_ResponseCode", "vnp_TransactionStatus", "vnp_TransactionNo"] as const
const isResult = (params: VnPayParams): boolean =>
  params["vnp_Command"] === undefined && RESULT.every((name) => /^\w+$/.test(params[name] ?? ""))

/** What VNPay calls an amount: hundredths of a đồng. */
export const amountOf = (totalPrice: number): string => String(Math.round(totalPrice * 100))

/** Sorted by name, and encoded as a form is: a space is a plus. */
export const signedText = (params: VnPayParams): string =>
  new URLSearchParams(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toString()

export const signature = (secret: string, text: string): string =>
  createHmac("sha512", secret).update(text).digest("hex")

/** yyyyMMddHHmmss, GMT+7. */
const vietnamTime = (instant: Date): string =>
  new Date(instant.getTime() + VIETNAM_MS).toISOString().replaceAll(/\D/g, "").slice(0, 14)
