/* Nodes of a cluster that say what a test wants them to: real servers on loopback, without
 * Redis behind them. They greet as nodes do, answer CLUSTER SLOTS with the ranges that the
 * test sets, and note every command. */

import type { Socket } from "node:net"
import { type HostileServer, startHostile } from "./hostile-server.ts"

/** Slots, and the numbers of the nodes that have them: the primary first. */
export type FakeRange = readonly [from: number, to: number, ...nodes: number[]]

export interface FakeNode {
  readonly port: number
  readonly url: string
  /** What it was sent, without greetings and questions about the cluster. */
  readonly log: string[]
  /** How often it was asked who owns what. */
  asked: number
  /** What it answers to CLUSTER SLOTS; raw RESP as text. */
  slots: readonly FakeRange[] | string
  /** What it answers to CLUSTER NODES; undefined: as to CLUSTER SLOTS. */
  members: string | undefined
  /** The answer to a command, as raw RESP; undefined: `+node N`. */
  answer: (command: readonly string[]) => string | undefined
  /** How long it takes for each answer. */
  slowMs: number
  role: "master" | "replica"
  mode: string
  /** What it says instead of a greeting: "WRONGPASS …". */
  refusal: string | undefined
  /** Instead of 127.0.0.1, where it is announced. */
  host: string
  /** Where answers to CLUSTER SLOTS are kept until somebody says them; undefined: they are said at once. */
  held: (() => void)[] | undefined
  readonly server: HostileServer
}

export const SILENCE = "silence"

export const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`
export const list = (...items: string[]): string => `*${items.length}\r\n${items.join("")}`

export interface FakeCluster {
  readonly nodes: readonly FakeNode[]
  /** Every node names these owners. */
  owners(...ranges: FakeRange[]): void
  /** `MOVED slot 127.0.0.1:port` of a node. */
  to(node: number, slot: number, how?: "MOVED" | "ASK"): string
  close(): Promise<void>
}

export async function startFakeNodes(count: number): Promise<FakeCluster> {
  const nodes: FakeNode[] = []
  const rangesOf = (ranges: readonly FakeRange[]): string =>
    list(
      ...ranges.map(([from, to, ...owners]) =>
        list(`:${from}\r\n`, `:${to}\r\n`, ...owners.map((owner) => placeOf(nodes[owner]!, owner))),
      ),
    )
  const placeOf = (node: FakeNode, index: number): string =>
    list(bulk(node.host), `:${node.port}\r\n`, bulk(`id-of-node-${index}`), list())
  const answerOf = (node: FakeNode, index: number, command: readonly string[], socket: Socket): string | undefined => {
    if (command[0] === "CLUSTER") {
      if (command[1] === "NODES" && node.members !== undefined) return bulk(node.members)
      node.asked++
      const said = typeof node.slots === "string" ? silent(node.slots) : rangesOf(node.slots)
      node.held?.push(() => socket.writable && socket.write(said ?? ""))
      return node.held === undefined ? said : undefined
    }
    if (command[0] === "CONFIG") return list(bulk("cluster-node-timeout"), bulk("2000"))
    node.log.push(command.join(" "))
    if (command[0] === "ASKING" || command[0] === "READONLY") return "+OK\r\n"
    return silent(node.answer(command) ?? `+node ${index}\r\n`)
  }
  for (let index = 0; index < count; index++) {
    const server = await startHostile(
      (command, socket) => {
        const said = answerOf(nodes[index]!, index, command, socket)
        const { slowMs } = nodes[index]!
        if (said === undefined || slowMs === 0) return said
        setTimeout(() => socket.writable && socket.write(said), slowMs)
        return undefined
      },
      ([name]) => {
        const { mode, role, refusal } = nodes[index]!
        if (refusal !== undefined) return `-${refusal}\r\n`
        if (name !== "HELLO") return "+OK\r\n"
        return `%4\r\n${bulk("server")}${bulk("redis")}${bulk("proto")}:3\r\n${bulk("mode")}${bulk(mode)}${bulk("role")}${bulk(role)}`
      },
    )
    nodes.push({
      port: Number(new URL(server.url).port),
      url: server.url,
      log: [],
      asked: 0,
      slots: [],
      members: undefined,
      answer: () => undefined,
      slowMs: 0,
      role: "master",
      mode: "cluster",
      refusal: undefined,
      host: "127.0.0.1",
      held: undefined,
      server,
    })
  }
  return {
    nodes,
    owners: (...ranges) => {
      for (const node of nodes) node.slots = ranges
    },
    to: (node, slot, how = "MOVED") => `-${how} ${slot} 127.0.0.1:${nodes[node]!.port}\r\n`,
    close: async () => void (await Promise.all(nodes.map(({ server }) => server.close()))),
  }
}

const silent = (answer: string): string | undefined => (answer === SILENCE ? undefined : answer)
