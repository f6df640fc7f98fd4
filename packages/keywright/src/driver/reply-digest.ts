/* The digest of a reply: how a script finds out whether what was read has changed. The
 * script computes the same digest, with client/lua/include/reply-digest.lua. */

import { createHash } from "node:crypto"
import type { Reply } from "./driver.ts"

export const sha1 = (bytes: string | Uint8Array): string => createHash("sha1").update(bytes).digest("hex")

/** For replies without order, in groups of `width` elements: the sorted digests of the groups. */
export function unorderedDigest(reply: readonly Reply[], width: 1 | 2): string {
  const parts: string[] = []
  for (let i = 0; i < reply.length; i += width) parts.push(sha1(spell(reply.slice(i, i + width))))
  return sha1(parts.sort().join(""))
}

/** Any reply as bytes: a text as it is, a list as its parts, each with its length. */
export function spell(reply: Reply): Buffer {
  if (reply instanceof Uint8Array) return Buffer.from(reply)
  if (typeof reply === "number" || typeof reply === "bigint") return Buffer.from(luaNumber(reply))
  if (!Array.isArray(reply)) return Buffer.from(reply === null ? "" : String(reply))
  return Buffer.concat(
    (reply as readonly Reply[]).flatMap((part) => {
      if (part === null) return [NOTHING]
      const bytes = spell(part)
      return [Buffer.from(`${bytes.length}:`), bytes]
    }),
  )
}

const NOTHING = Buffer.from("-")

/** As Lua's tostring prints a number: %.14g. */
function luaNumber(value: number | bigint): string {
  const number = Number(value)
  return Number.isInteger(number) && Math.abs(number) < 1e14
    ? String(number)
    : number.toPrecision(14).replace(/\.?0+(e|$)/, "$1")
}
