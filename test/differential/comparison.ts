/* Two servers, one sequence of commands, replies side by side. */

import type { RawReply, RespClient } from "../resp-client.ts"
import { known } from "./known-differences.ts"

/** Absolute deadlines in the templates lie beyond this. */
const FAR_FUTURE_MS = 33_000_000_000_000

const unordered = new Set(
  "SMEMBERS SINTER SUNION SDIFF SPOP SRANDMEMBER HKEYS HVALS HRANDFIELD ZRANDMEMBER KEYS HGETALL".split(" "),
)

export interface Difference {
  readonly command: readonly string[]
  readonly embedded: string
  readonly real: string
}

export class Comparison {
  /** How often each known difference was met, by name. */
  readonly met = new Map<string, number>()
  readonly #embedded: RespClient
  readonly #real: RespClient
  #queued: (readonly string[])[] | undefined

  constructor(embedded: RespClient, real: RespClient) {
    this.#embedded = embedded
    this.#real = real
  }

  /** Sends the commands to both and returns the first difference that is not known. */
  async run(commands: readonly (readonly string[])[]): Promise<Difference | undefined> {
    const batch = commands.map((command) => [...command].map((argument) => Buffer.from(argument, "latin1")))
    const [embedded, real] = await Promise.all([this.#embedded.pipeline(batch), this.#real.pipeline(batch)])
    for (const [index, command] of commands.entries()) {
      const found = this.compare(command, embedded[index] ?? null, real[index] ?? null)
      if (found) return found
    }
    return undefined
  }

  /** Compares all that is stored: every key, its type, deadline and content. */
  async runState(): Promise<Difference | undefined> {
    const keys = [...((await this.#real.send("KEYS", "*")) as string[])].sort()
    const types = (await this.#real.pipeline(keys.map((key) => ["TYPE", Buffer.from(key, "latin1")]))) as string[]
    const reads = keys.flatMap((key, index) => [
      ["TYPE", key],
      ["PEXPIRETIME", key],
      contentOf(key, types[index] ?? ""),
    ])
    return this.run([["KEYS", "*"], ...reads])
  }

  /** Compares the two answers to one command; commands come in the order in which this connection was sent them. */
  compare(command: readonly string[], embedded: RawReply, real: RawReply): Difference | undefined {
    const name = command[0] ?? ""
    const queued = this.#queued
    if (queued && name !== "EXEC" && name !== "DISCARD") {
      if (real === "QUEUED") queued.push(command)
    } else if (name === "MULTI") this.#queued = []
    else this.#queued = undefined
    if (
      name === "EXEC" &&
      queued &&
      Array.isArray(embedded) &&
      Array.isArray(real) &&
      embedded.length === real.length
    ) {
      for (const [index, inner] of queued.entries()) {
        const found = this.compare(inner, embedded[index] ?? null, real[index] ?? null)
        if (found) return found
      }
      return undefined
    }
    return this.#compareOne(command, embedded, real)
  }

  #compareOne(command: readonly string[], embedded: RawReply, real: RawReply): Difference | undefined {
    const [one, other] = [show(command, embedded), show(command, real)]
    if (one === other || sameDeadline(command, embedded, real)) return undefined
    const difference = known(command, embedded, real)
    if (!difference) return { command, embedded: one, real: other }
    this.met.set(difference.name, (this.met.get(difference.name) ?? 0) + 1)
    return undefined
  }
}

/** The reply as text; replies without an order are put into one. */
function show(command: readonly string[], reply: RawReply): string {
  const name = command[0]?.toUpperCase() ?? ""
  const sorted = unordered.has(name) || command.includes("nosort")
  if (!Array.isArray(reply) || !sorted) return JSON.stringify(reply)
  const items = name === "HGETALL" ? pairs(reply) : reply
  return JSON.stringify(items.map((item) => JSON.stringify(item)).sort())
}

/** Deadlines that were given as "from now" differ by what one server was slower. */
function sameDeadline([name = ""]: readonly string[], embedded: RawReply, real: RawReply): boolean {
  if (!/^P?EXPIRETIME$/.test(name) || typeof embedded !== "number" || typeof real !== "number") return false
  const fromNow = name === "PEXPIRETIME" ? real < FAR_FUTURE_MS : real < FAR_FUTURE_MS / 1000
  return fromNow && real > 0 && Math.abs(embedded - real) < 5000
}

function pairs(flat: readonly RawReply[]): RawReply[] {
  return Array.from({ length: flat.length / 2 }, (_, index) => flat.slice(index * 2, index * 2 + 2) as RawReply[])
}

function contentOf(key: string, type: string): string[] {
  switch (type) {
    case "hash":
      return ["HGETALL", key]
    case "list":
      return ["LRANGE", key, "0", "-1"]
    case "set":
      return ["SMEMBERS", key]
    case "zset":
      return ["ZRANGE", key, "0", "-1", "WITHSCORES"]
    case "stream":
      return ["XRANGE", key, "-", "+"]
    default:
      return ["GET", key]
  }
}
