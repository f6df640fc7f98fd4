/* A plan: what must hold, and what is written if it does. Made here, carried out by
 * apply.lua in one step. Everything that can fail is a check, so that nothing is
 * half written: the commands after the checks cannot fail any more. */

import { createHash, randomBytes, randomUUID } from "node:crypto"
import { clusterSlot } from "../driver/cluster-slot.ts"
import type { CallOptions, Reply, Wire } from "../driver/driver.ts"
import { KeywrightError } from "../errors/error.ts"
import { crossSlot } from "../errors/transaction.ts"
import type { Lane } from "./lane.ts"
import { applyScript } from "./lua/index.ts"
import { slotTag } from "./slot-tag.ts"

const REMEMBERED_MS = 60_000

/** Says what a failed check means: `found` is what stood there. */
export type OnFailure = (found: Reply) => KeywrightError

/** A text that stands for an id until the script has allocated it. */
export const newPlaceholder = (): string => `kwid${randomBytes(12).toString("hex")}`
const placeholderPattern = /kwid[0-9a-f]{24}/g

/** Whether a text is made of an id that is not allocated yet. */
export const isDerived = (text: string): boolean => text.includes("kwid") && text.search(placeholderPattern) >= 0

export class Plan {
  readonly #keys: string[] = []
  readonly #numbers = new Map<string, number>()
  readonly #checks: Wire[] = []
  readonly #failures: OnFailure[] = []
  readonly #allocations: Wire[] = []
  readonly #placeholders: string[] = []
  readonly #commands: Wire[] = []
  readonly #described: string[][] = []

  /** The string at `key` is exactly `value`; undefined: there is no such key. */
  expectString(key: string, value: Wire | undefined, onFailure: OnFailure): void {
    if (value === undefined) this.#check(onFailure, "-", key)
    else this.#check(onFailure, "=", key, value)
  }

  expectExists(key: string, onFailure: OnFailure): void {
    this.#check(onFailure, "+", key)
  }

  /** Nobody else's: free, held by `id`, or by a record that is gone. */
  expectFree(
    key: string,
    id: string,
    record: { readonly head: string; readonly tail: string },
    onFailure: OnFailure,
  ): void {
    this.#check(onFailure, "u", key, id, record.head, record.tail)
  }

  expectType(key: string, type: string, onFailure: OnFailure): void {
    this.#check(onFailure, "t", key, type)
  }

  /** Nothing, or a number that can be added to: the whole string, or a field of a hash. */
  expectNumber(key: string, field: string, onFailure: OnFailure): void {
    this.#check(onFailure, "n", key, field)
  }

  /** Reading it again gives the same. `words` are the command without its key. */
  expectReply(key: string, words: readonly Wire[], reply: Reply, onFailure: OnFailure): void {
    const order = orderOf(words[0]!)
    this.#check(onFailure, order, key, digestOf(reply, order), String(words.length), ...words)
  }

  /** A new id from a counter: the placeholder stands for it in keys and values. */
  allocate(counter: string, record: { readonly head: string; readonly tail: string }): string {
    const placeholder = newPlaceholder()
    this.#allocations.push(this.#number(counter), placeholder, record.head, record.tail)
    this.#placeholders.push(placeholder)
    return placeholder
  }

  /** A command on one key, after all checks. It must not be able to fail. */
  write(name: string, key: string, ...words: Wire[]): void {
    const allocates = this.#placeholders.length > 0
    const derived = allocates && isDerived(key)
    const filled = allocates && words.some((word) => typeof word === "string" && isDerived(word))
    this.#described.push([name, key, ...words.map(String)])
    this.#commands.push(String(filled ? -words.length : words.length), derived ? "0" : this.#number(key), name)
    if (derived) this.#commands.push(key)
    this.#commands.push(...words)
  }

  /** Whether there is nothing to write: then nothing need be compared either. */
  get writesNothing(): boolean {
    return this.#commands.length === 0
  }

  /** The commands that it writes with, for people. */
  get writes(): readonly (readonly string[])[] {
    return this.#described
  }

  /** The ids that were allocated, by placeholder. Throws what the failed check stands for. */
  async carryOut(
    lane: Lane,
    options: CallOptions & { readonly operationId?: string | undefined } = {},
  ): Promise<Map<string, string>> {
    const { operationId = lane.driver.resends ? randomUUID() : undefined, ...rest } = options
    lane.explain?.(this)
    const { keys, args } = this.encoded(operationId, lane.driver.cluster)
    if (lane.driver.cluster) checkSlots(keys)
    const reply = await lane.script(applyScript, keys, args, operationId === undefined ? rest : { ...rest, safe: true })
    const [done, ...rest2] = reply as [number, ...Reply[]]
    if (done === 1) return new Map(this.#placeholders.map((placeholder, i) => [placeholder, String(rest2[i])]))
    throw this.#failures[Number(rest2[0]) - 1]!(rest2[1] ?? null)
  }

  /** What is sent: KEYS and ARGV of apply.lua. */
  encoded(operationId?: string, cluster = false): { readonly keys: string[]; readonly args: Wire[] } {
    const body = [
      String(this.#failures.length),
      ...this.#checks,
      String(this.#placeholders.length),
      ...this.#allocations,
      ...this.#commands,
    ]
    if (operationId === undefined) return { keys: this.#keys, args: ["", ...body] }
    const own = `keywright:op:${slotTag(this.#keys[0] ?? "", cluster)}${operationId}`
    return { keys: [...this.#keys, own], args: [String(REMEMBERED_MS), ...body] }
  }

  #check(onFailure: OnFailure, kind: string, key: string, ...words: Wire[]): void {
    this.#checks.push(kind, this.#number(key), ...words)
    this.#failures.push(onFailure)
  }

  #number(key: string): string {
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#keys.push(key)
      this.#numbers.set(key, number)
    }
    return String(number)
  }
}

/** The placeholders in a value, at any depth, replaced by the ids that were allocated. */
export function withIds<T>(value: T, ids: ReadonlyMap<string, string>): T {
  if (ids.size === 0) return value
  if (typeof value === "string") return value.replace(placeholderPattern, (found) => ids.get(found) ?? found) as T
  if (Array.isArray(value)) return value.map((item: unknown) => withIds(item, ids)) as T
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withIds(item, ids)])) as T
  }
  return value
}

function checkSlots(keys: readonly string[]): void {
  const [first, ...others] = keys
  const other = first === undefined ? undefined : others.find((key) => clusterSlot(key) !== clusterSlot(first))
  if (other !== undefined) throw crossSlot(first!, other)
}

/** How a reply is compared: in its order (d), as members (s) or as pairs (h) that come in none. */
type Order = "d" | "s" | "h"
const orders: Readonly<Record<string, Order>> = { SMEMBERS: "s", HKEYS: "s", HVALS: "s", HGETALL: "h" }
const orderOf = (name: Wire): Order => orders[name as string] ?? "d"

/** The digest that apply.lua makes of a reply. */
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
