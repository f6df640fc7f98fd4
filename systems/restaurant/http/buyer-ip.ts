import { type AddressOf, UNKNOWN } from "../../platform/http/client-address.ts"
import type { Exchange } from "../../platform/http/exchange.ts"

/** Where a buyer is, for VNPay, which wants an address. */
export type BuyerIp = (exchange: Exchange) => string

const HERE = "127.0.0.1"

export const buyerIp =
  (clientOf: AddressOf): BuyerIp =>
  ({ env }) => {
    const address = clientOf(env.incoming)
    return address === "::1" || address === UNKNOWN ? HERE : address
  }
