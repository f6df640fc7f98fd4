/* What a stream has besides its entries: its last id, and its groups with what they
 * have delivered and not seen acknowledged. */

import type { Driver, Reply, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { SAFE_BYTES } from "../../driver/safe.ts"
import { ScanCursor } from "../../driver/scan-cursor.ts"
import { isRefusal } from "../../inspect/walk/refusal.ts"
import { asWire } from "../../inspect/walk/wire.ts"
import { askEach } from "../ask-each.ts"
import { lineWord, type StreamEnd, type StreamGroup } from "./lines.ts"

/** XINFO STREAM … FULL, with everything that is pending. Undefined when there is no such stream. */
export async function streamEnd(driver: Driver, key: Wire): Promise<StreamEnd | undefined> {
  const [reply] = await driver.batch([["XINFO", "STREAM", key, "FULL", "COUNT", "1"]], SAFE_BYTES)
  if (isRefusal(reply)) throw reply
  if (reply instanceof KeywrightError || !Array.isArray(reply)) return undefined
  const facts = repliesByName(reply)
  const now = Date.now()
  const groups: StreamGroup[] = []
  for (const one of (facts["groups"] as readonly Reply[] | undefined) ?? [])
    groups.push(await groupOf(driver, key, one, now))
  const added = facts["entries-added"]
  const maxDeleted = facts["max-deleted-entry-id"]
  return {
    lastId: text(facts["last-generated-id"]!),
    ...(typeof added === "number" && { added }),
    ...(maxDeleted !== undefined && { maxDeletedId: text(maxDeleted) }),
    groups,
  }
}

/** Less than what a server needs for an entry that is pending. */
const PENDING_BYTES = 32

async function groupOf(driver: Driver, key: Wire, reply: Reply, now: number): Promise<StreamGroup> {
  const facts = repliesByName(reply)
  const name = asWire(facts["name"]!)
  const consumers = (facts["consumers"] as readonly Reply[]).map((one) => asWire(repliesByName(one)["name"]!))
  const pending: StreamGroup["pending"][number][] = []
  const place = new ScanCursor("XPENDING")
  // FULL shows only some of them: the rest is asked for by XPENDING.
  for (let from = "-"; ;) {
    const [page] = await driver.batch([["XPENDING", key, name, from, "+", "1000"]], SAFE_BYTES)
    if (isRefusal(page)) throw page
    if (!Array.isArray(page) || page.length === 0) break
    const entries = page as readonly (readonly Reply[])[]
    const there = await askEach(driver, entries, ([id]) => ["XRANGE", key, text(id!), text(id!)], SAFE_BYTES)
    const refusal = there.find(isRefusal)
    if (refusal !== undefined) throw refusal
    entries.forEach(([id, consumer, idle, times], i) => {
      // What was deleted meanwhile can neither be delivered nor be claimed again.
      if (Array.isArray(there[i]) && there[i].length > 0)
        pending.push([text(id!), lineWord(asWire(consumer!)), now - Number(idle), Number(times)])
    })
    from = `(${text(entries.at(-1)![0]!)}`
    if (page.length < 1000) break
    place.advance(from, page.length * PENDING_BYTES)
    if (place.isLong) await place.requireRoom(driver)
  }
  const read = facts["entries-read"]
  return {
    name: lineWord(name),
    lastId: text(facts["last-delivered-id"]!),
    ...(typeof read === "number" && { read }),
    consumers: consumers.map(lineWord),
    pending,
  }
}

const text = (reply: Reply): string => String(asWire(reply))

function repliesByName(reply: Reply): Record<string, Reply> {
  const words = reply as readonly Reply[]
  const fields: Record<string, Reply> = {}
  for (let i = 0; i + 1 < words.length; i += 2) fields[text(words[i]!)] = words[i + 1]!
  return fields
}
