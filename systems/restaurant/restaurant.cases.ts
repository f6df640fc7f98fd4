/* What the restaurant's tests share: a served restaurant with its administrator logged in. */

import { createHmac } from "node:crypto"
import { expect } from "vitest"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import type { TestServer } from "../platform/testing/servers.ts"

export const SECRET = "canary-payment-secret"
export const PASSWORD = "canary-password-Xk29"
export const FRONTEND = "https://shop.example/paid?from=vnpay"
export const ADMIN_EMAIL = "admin@example.com"

export const vnpaySettings = [
  ["vnpay.tmnCode", "TMN1"],
  ["vnpay.hashSecret", SECRET],
  ["vnpay.payUrl", "https://pay.example/vpcpay.html"],
  ["vnpay.returnUrl", "https://api.example/payment/vnpay/callback"],
  ["frontendUrl", FRONTEND],
].flatMap(([name, value]) => ["--set", `restaurant.${name}=${value}`])

const adminSettings = [
  "--set",
  `restaurant.adminEmail=${ADMIN_EMAIL}`,
  "--set",
  `restaurant.adminPassword=${PASSWORD}`,
  "--set",
  "restaurant.jwtSecret=canary-jwt-secret-0123456789-0123456789",
]

export interface Restaurant extends Served {
  /** The administrator's access token. */
  readonly boss: string
  /** Registers, and returns id and access token. */
  person(name: string, more?: object): Promise<Person>
  /** Creates a dish in a new category; returns its id. */
  dish(more?: object): Promise<string>
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly token: string
  /** The refresh token. */
  readonly cookie: string
}

export const profile = { phone: "0901", address: "1 Le Loi" }

export async function open(server: Pick<TestServer, "redis" | "engine">, ...args: string[]): Promise<Restaurant> {
  const served = await serveForTest(server, "restaurant", ...adminSettings, ...vnpaySettings, ...args)
  const { token: boss } = await login(served, ADMIN_EMAIL)
  return {
    ...served,
    boss,
    async person(name, more = profile) {
      const email = `${name}@example.com`
      const { status, body } = await served.call("POST /register", {
        body: { username: name, email, password: PASSWORD, ...more },
      })
      expect(status).toBe(201)
      return { id: (body as { id: string }).id, email, ...(await login(served, email)) }
    },
    async dish(more = {}) {
      const category = await served.call("POST /api/categories", { token: boss, body: { name: "Món chính" } })
      const { status, body } = await served.call("POST /api/dishes", {
        token: boss,
        body: { name: "Phở", price: 50_000, categoryId: (category.body as { id: string }).id, ...more },
      })
      expect(status, JSON.stringify(body)).toBe(201)
      return (body as { id: string }).id
    },
  }
}

export async function login(served: Served, email: string, password = PASSWORD) {
  const { status, headers, body } = await served.call("POST /login", { body: { username: email, password } })
  expect(status).toBe(200)
  return { token: (body as { accessToken: string }).accessToken, cookie: cookieIn(headers) }
}

export const cookieIn = (headers: Headers): string => /refresh_token=([^;]*)/.exec(headers.get("set-cookie") ?? "")![1]!

/** VNPay's parameters with VNPay's signature, made apart from the code under test. */
export function signed(params: Readonly<Record<string, string>>, secret = SECRET): URLSearchParams {
  const names = Object.keys(params).sort()
  const text = names
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(params[name]!).replaceAll("%20", "+")}`)
    .join("&")
  const hash = createHmac("sha512", secret).update(text).digest("hex")
  return new URLSearchParams({ ...params, vnp_SecureHash: hash })
}

export const result = (ref: string, amount: number, more: Readonly<Record<string, string>> = {}) => ({
  vnp_TmnCode: "TMN1",
  vnp_Amount: String(amount),
  vnp_BankCode: "NCB",
  vnp_OrderInfo: "Thanh toan don hang",
  vnp_PayDate: "20260301120000",
  vnp_ResponseCode: "00",
  vnp_TransactionNo: "14",
  vnp_TransactionStatus: "00",
  vnp_TxnRef: ref,
  ...more,
})
