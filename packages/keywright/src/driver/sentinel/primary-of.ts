/* Where the primary of a service is: all sentinels are asked at once, and the newest answer
 * counts, not the first. A sentinel that was cut off continues to name the previous primary. */

import { gather } from "../gather.ts"
import { noPrimary, noReplica, noSuchService } from "../../errors/sentinel.ts"
import { KeywrightError } from "../../errors/error.ts"
import { type Endpoint, endpointOf, showEndpoint } from "../cluster/endpoint.ts"
import type { Reply, SentinelView } from "../driver.ts"
import { SAFE } from "../safe.ts"
import { saidIn } from "../server-errors.ts"
import { Connection, type ConnectionOptions } from "../resp/connection.ts"
import type { Dial } from "../resp/dialler.ts"

export interface SentinelOptions {
  readonly service: string
  /** The addresses that were given: never forgotten. */
  readonly sentinels: readonly Endpoint[]
  readonly dial: (endpoint: Endpoint) => Dial
  /** What the connections to sentinels have in common. */
  readonly connection: Omit<ConnectionOptions, "dial" | "label" | "overseer">
}

interface SentinelAnswer {
  readonly primary: Endpoint
  readonly epoch: number
  readonly quorum: number
  readonly others: readonly Endpoint[]
}

/** Sentinels are a handful: one that names thousands of addresses would have all of them dialled. */
const MOST_LEARNED = 32
const CONNECT_MS = 1000
const ANSWER_MS = 300
/** When one has answered, how long the others have. */
const OTHERS_MS = 100

export class Sentinels {
  readonly #options: SentinelOptions
  /** Those that sentinels themselves know of. */
  #learned: readonly Endpoint[] = []

  constructor(options: SentinelOptions) {
    this.#options = options
  }

  get known(): readonly Endpoint[] {
    const all = [...this.#options.sentinels, ...this.#learned]
    return [...new Map(all.map((endpoint) => [showEndpoint(endpoint), endpoint])).values()]
  }

  /** The primary, as the newest answer has it. */
  async primary(): Promise<Endpoint> {
    const { answers, errors } = await this.#gathered((endpoint) => this.#ask(endpoint))
    const [newest] = answers.sort((one, other) => other.epoch - one.epoch)
    const { service, sentinels } = this.#options
    if (newest === undefined) {
      const unknown = errors.find((error) => error instanceof KeywrightError && /no such master/i.test(saidIn(error)))
      const where = sentinels.map(showEndpoint).join(", ")
      // If none of those that answer know it, waiting does not help.
      if (unknown !== undefined) throw noSuchService(service, where)
      throw noPrimary(service, where, errors[0])
    }
    const learned = answers.flatMap(({ others }) => others)
    this.#learned = [...new Map(learned.map((one) => [showEndpoint(one), one])).values()].slice(0, MOST_LEARNED)
    return newest.primary
  }

  /** One of the replicas that follow the primary, at random. */
  async replica(): Promise<Endpoint> {
    const { answers, errors } = await this.#gathered((endpoint) =>
      this.#talk(endpoint, async (ask) => replicasIn(await ask("REPLICAS"), endpoint)),
    )
    const replicas = answers.flat()
    const { service, sentinels } = this.#options
    const one = replicas[Math.floor(Math.random() * replicas.length)]
    if (one === undefined) throw noReplica(service, sentinels.map(showEndpoint).join(", "), errors[0])
    return one
  }

  /** What each of them says, or why it says nothing. */
  async views(): Promise<readonly SentinelView[]> {
    await this.primary().catch(() => undefined) // Learns of those that were not given.
    return Promise.all(
      this.known.map(async (endpoint) => {
        const address = showEndpoint(endpoint)
        try {
          const { primary, quorum } = await this.#ask(endpoint)
          return { address, primary: showEndpoint(primary), quorum }
        } catch (error) {
          return { address, primary: undefined, quorum: 0, failure: error instanceof Error ? error.message : "" }
        }
      }),
    )
  }

  /** What those say that answer in time, and what the others failed with. */
  async #gathered<T>(ask: (endpoint: Endpoint) => Promise<T>): Promise<{ answers: T[]; errors: unknown[] }> {
    const errors: unknown[] = []
    const answers = await gather(this.known.map(ask), { othersMs: OTHERS_MS }, (error) => void errors.push(error))
    return { answers, errors }
  }

  #ask(endpoint: Endpoint): Promise<SentinelAnswer> {
    return this.#talk(endpoint, async (ask) => {
      const [found, others] = await Promise.all([ask("MASTER"), ask("SENTINELS")])
      const fields = textsByName(found)
      const primary = endpointOf(fields["ip"], fields["port"], endpoint)
      if (primary === undefined) throw new Error(`${showEndpoint(endpoint)} names no address`)
      return {
        primary,
        epoch: epochOf(fields["config-epoch"]),
        quorum: Number(fields["quorum"] ?? 0),
        others: listOf(others).flatMap((one) => {
          const { ip, port } = textsByName(one)
          return endpointOf(ip, port, endpoint) ?? []
        }),
      }
    })
  }

  async #talk<T>(endpoint: Endpoint, work: (ask: (word: string) => Promise<Reply>) => Promise<T>): Promise<T> {
    const { service, dial, connection: common } = this.#options
    const connectTimeoutMs = Math.min(common.connectTimeoutMs, CONNECT_MS)
    const connection = new Connection({
      ...common,
      db: 0,
      connectTimeoutMs,
      label: `the sentinel ${showEndpoint(endpoint)}`,
      dial: dial(endpoint),
    })
    const ask = (word: string) =>
      connection.call("one", ["SENTINEL", word, service], undefined, undefined, {
        ...SAFE,
        timeoutMs: connectTimeoutMs + ANSWER_MS,
      })
    try {
      return await work(ask)
    } finally {
      void connection.close()
    }
  }
}

const listOf = (reply: Reply): readonly Reply[] => (Array.isArray(reply) ? reply : [])

/** Those that a sentinel reaches, and that reach their primary. */
const replicasIn = (reply: Reply, asked: Endpoint): Endpoint[] =>
  listOf(reply).flatMap((one) => {
    const { ip, port, flags, "master-link-status": link } = textsByName(one)
    return flags === "slave" && link === "ok" ? (endpointOf(ip, port, asked) ?? []) : []
  })

/** Anything but a whole number is older than every answer. */
const epochOf = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? "") ? Number(text) : -1)

/** `["ip", "127.0.0.1", "port", "6379", …]` */
function textsByName(reply: Reply): Record<string, string> {
  const fields: Record<string, string> = {}
  if (!Array.isArray(reply)) return fields
  for (let i = 0; i + 1 < reply.length; i += 2) fields[String(reply[i])] = String(reply[i + 1])
  return fields
}
