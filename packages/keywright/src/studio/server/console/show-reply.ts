/* A reply as the page gets it: bounded, bytes as bytes, and keys in it redacted. */

import type { Reply, Wire } from "../../../driver/driver.ts"
import { KeywrightError } from "../../../errors/error.ts"
import { asWire, isText } from "../../../inspect/walk/wire.ts"
import type { ConsoleReply, KeyLink } from "../../api.ts"

const MOST_ITEMS = 1000
const MOST_CHARS = 4096
const DEEPEST = 6

/** For texts that are keys; undefined for those that must not be shown. */
export type LinkOf = (key: Wire) => KeyLink | undefined

export function showReply(reply: Reply, linkOf?: LinkOf, depth = 0): ConsoleReply {
  if (reply === null) return { is: "nil" }
  if (reply instanceof KeywrightError) return { is: "error", text: reply.message.slice(0, MOST_CHARS) }
  if (typeof reply === "number" || typeof reply === "bigint") return { is: "number", text: String(reply) }
  if (typeof reply === "string" || reply instanceof Uint8Array) return shownText(asWire(reply), linkOf)
  if (depth >= DEEPEST) return { is: "list", items: [], more: reply.length }
  const shown = reply.slice(0, MOST_ITEMS).map((one) => showReply(one, linkOf, depth + 1))
  const items = shown.filter((one) => one.is !== "text" || one.link !== undefined || linkOf === undefined)
  return { is: "list", items, more: Math.max(0, reply.length - MOST_ITEMS) }
}

function shownText(wire: Wire, linkOf: LinkOf | undefined): ConsoleReply {
  if (linkOf !== undefined) {
    const link = linkOf(wire)
    return { is: "text", text: link?.key ?? "", cut: false, ...(link && { link }) }
  }
  if (!isText(wire))
    return { is: "bytes", base64: Buffer.from(wire.subarray(0, MOST_CHARS)).toString("base64"), bytes: wire.length }
  return { is: "text", text: wire.slice(0, MOST_CHARS), cut: wire.length > MOST_CHARS }
}
