/* The same commands over several connections. The embedded engine gets a batch in one
 * tick, spread over its connections; the real server gets it one by one, each after the
 * answer to the one before. So replies are equal only if the engine serves its inputs in
 * the order in which they were written, over all connections.
 *
 * WATCH is left out: Redis 7.0 counts some writes of others as a change that Valkey 9.1
 * does not, so that EXEC gives up on one and not on the other. */

import type { RespClient } from "../resp-client.ts"
import { Comparison, type Difference } from "./comparison.ts"
import type { Random } from "../random.ts"

export interface Pair {
  readonly embedded: RespClient
  readonly real: RespClient
}

interface Turn {
  readonly at: number
  readonly command: readonly string[]
}

export class SeveralConnections {
  readonly #pairs: readonly Pair[]
  readonly #comparisons: readonly Comparison[]

  constructor(pairs: readonly Pair[]) {
    this.#pairs = pairs
    this.#comparisons = pairs.map(({ embedded, real }) => new Comparison(embedded, real))
  }

  /** Sends groups of commands, each over one connection, and returns the first difference that is not known. */
  async run(groups: readonly (readonly (readonly string[])[])[], random: Random): Promise<Difference | undefined> {
    const turns = this.#interleave(groups, random)
    const embedded = turns.map(({ at, command }) => this.#pairs[at]!.embedded.send(...wire(command)))
    for (const [index, { at, command }] of turns.entries()) {
      const real = await this.#pairs[at]!.real.send(...wire(command))
      const found = this.#comparisons[at]!.compare(command, (await embedded[index]) ?? null, real)
      if (found) return found
    }
    return undefined
  }

  /** Groups of different connections are mixed, so that others write in the middle of a transaction. */
  #interleave(groups: readonly (readonly (readonly string[])[])[], random: Random): Turn[] {
    const queues: (readonly string[])[][] = this.#pairs.map(() => [])
    for (const group of groups) random.pick(queues).push(...group.filter(([name]) => name !== "WATCH"))
    const turns: Turn[] = []
    for (;;) {
      const left = [...queues.keys()].filter((at) => (queues[at]?.length ?? 0) > 0)
      if (left.length === 0) return turns
      const at = random.pick(left)
      turns.push({ at, command: queues[at]!.shift()! })
    }
  }
}

const wire = (command: readonly string[]) => command.map((argument) => Buffer.from(argument, "latin1"))
