/* A cluster as the command line sees it: a connection of our own to every primary,
 * commands sent to where their slot is. Slots are looked up when it is opened, and again
 * when one has moved. For the applications' own work there are the cluster clients. */

import { clusterSlot } from "../driver/cluster-slot.ts"
import type { CallOptions, Command, Driver, Reply, Script, Wire } from "../driver/driver.ts"
import { SAFE } from "../driver/safe.ts"
import { firstKey } from "../driver/first-key.ts"
import { KeywrightError } from "../errors/error.ts"

export interface ClusterOptions {
  /** The node that was named. */
  readonly seed: Driver
  readonly connect: (host: string, port: number) => Driver
}

interface Range {
  readonly from: number
  readonly to: number
  readonly node: Driver
}

export async function clusterDriver({ seed, connect }: ClusterOptions): Promise<Driver> {
  const nodes = new Map<string, Driver>()
  let ranges: readonly Range[] = []
  const look = async () => {
    const slots = (await seed.send(["CLUSTER", "SLOTS"], SAFE)) as readonly (readonly Reply[])[]
    ranges = slots.map(([from, to, primary]) => {
      const [host, port] = primary as readonly [Reply, Reply]
      const name = `${String(host)}:${String(port)}`
      let node = nodes.get(name)
      if (node === undefined) nodes.set(name, (node = connect(String(host), Number(port))))
      return { from: Number(from), to: Number(to), node }
    })
  }
  await look()

  const nodeOf = (key: Wire | undefined): Driver => {
    const slot = key === undefined ? undefined : clusterSlot(key)
    return ranges.find(({ from, to }) => slot === undefined || (slot >= from && slot <= to))?.node ?? seed
  }
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isMoved(error)) throw error
      await look()
      return work()
    }
  }
  const several = async (commands: readonly Command[], options: CallOptions | undefined): Promise<Reply[]> => {
    const groups = new Map<Driver, number[]>()
    commands.forEach((command, i) => {
      const node = nodeOf(firstKey(command))
      const group = groups.get(node)
      if (group === undefined) groups.set(node, [i])
      else group.push(i)
    })
    const replies = Array.from<Reply>({ length: commands.length })
    await Promise.all(
      [...groups].map(async ([node, places]) => {
        const found = await node.batch(
          places.map((i) => commands[i]!),
          options,
        )
        places.forEach((i, at) => (replies[i] = found[at]!))
      }),
    )
    return replies
  }

  return {
    label: seed.label,
    kind: seed.kind,
    cluster: true,
    db: 0,
    timeoutMs: seed.timeoutMs,
    send: (command, options) => again(() => nodeOf(firstKey(command)).send(command, options)),
    async batch(commands, options) {
      const replies = await several(commands, options)
      if (!replies.some(isMoved)) return replies
      await look()
      const moved = replies.flatMap((reply, i) => (isMoved(reply) ? [i] : []))
      const found = await several(
        moved.map((i) => commands[i]!),
        options,
      )
      moved.forEach((i, at) => (replies[i] = found[at]!))
      return replies
    },
    multi: (commands, options) => again(() => nodeOf(firstKey(commands[0] ?? [])).multi(commands, options)),
    run: (script: Script, keys, args, options) => again(() => nodeOf(keys[0]).run(script, keys, args, options)),
    subscribe: (to) => seed.subscribe(to),
    database: async function (this: Driver, db) {
      return db === 0 ? this : seed.database(db)
    },
    dedicated: () => seed.dedicated(),
    primaries: async () => [...new Set(ranges.map(({ node }) => node))],
    facts: () => seed.facts(),
    close: async () => void (await Promise.all([...nodes.values()].map((node) => node.close()))),
  }
}

const isMoved = (error: unknown): boolean => error instanceof KeywrightError && error.code === "SERVER.MOVED"
