/* The digest of a reply, as apply.lua makes it: what was read is compared by it when
 * a transaction commits. */

import { createHash } from "node:crypto"
import type { Reply, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"

/** How a reply is compared: in its order (d), as members (s) or as pairs (h) that come in none. */
export type Order = "d" | "s" | "h"
const orders: Readonly<Record<string, Order>> = {
  SMEMBERS: "s",
  SINTER: "s",
  SUNION: "s",
  SDIFF: "s",
  HKEYS: "s",
  HVALS: "s",
  HGETALL: "h",
}
export const orderOf = (name: Wire): Order => orders[name as string] ?? "d"

export function digestOf(reply: Reply, order: Order): string {
  if (order === "d" || !Array.isArray(reply)) return sha1(spelled(reply))
  const width = order === "h" ? 2 : 1
  const parts: string[] = []
  for (let i = 0; i < reply.length; i += width) parts.push(sha1(spelled(reply.slice(i, i + width))))
  return sha1(Buffer.from(parts.sort().join("")))
}

const sha1 = (bytes: Buffer): string => createHash("sha1").update(bytes).digest("hex")

function spelled(reply: Reply): Buffer {
  if (reply === null) return Buffer.from("boolean:false")
  if (typeof reply === "number" || typeof reply === "bigint") return Buffer.from(`number:${luaNumber(reply)}`)
  if (typeof reply === "string") return Buffer.from(`string:${reply}`)
  if (reply instanceof Uint8Array) return Buffer.concat([Buffer.from("string:"), reply])
  if (reply instanceof KeywrightError) return Buffer.from(`error:${reply.code}`)
  const parts = reply.flatMap((part, i) => {
    const text = spelled(part)
    return [Buffer.from(`${i === 0 ? "" : ","}${text.length}=`), text]
  })
  return Buffer.concat([Buffer.from("table:"), ...parts])
}

/** As Lua's tostring prints a number: %.14g. */
function luaNumber(value: number | bigint): string {
  const number = Number(value)
  return Number.isInteger(number) && Math.abs(number) < 1e14
    ? String(number)
    : number.toPrecision(14).replace(/\.?0+(e|$)/, "$1")
}
