/* The tests of a system on a cluster. What tests read and write by plain commands has the
 * document's names: a placement says where those keys are on the cluster, on the way there
 * and on the way back. */

import { connect, keyspace } from "keywright"
import { afterAll, beforeAll, beforeEach, describe } from "vitest"
import { isFull } from "../../../test/full.ts"
import { needs, pathOf } from "../../../test/needs.ts"
import { type RealCluster, startCluster, startPrimaries, untilReady } from "../../../test/redis-cluster.ts"
import type { RawReply } from "../../../test/resp-client.ts"
import { onAnyServer, onBothServers, onRealServer, type Outage, type TestServer } from "./servers.ts"

/** Where the keys of a system are. */
export interface Placement {
  readonly title: string
  /** Settings of the system: `{ shards: "64" }`. */
  readonly settings: Readonly<Record<string, string>>
  /** For a key of the document, as a command names it: its keys on the cluster. Several are asked one after another. */
  keysOf(key: string, words: readonly string[], db: number): readonly string[]
  /** The way back; undefined for keys that the document's placement does not have in this database. */
  nameOf(key: string, db: number): string | undefined
  /** What has to happen before a key of the document is looked at: a job, for example, that the test does not wait for. */
  settle?(key: string, url: string): Promise<void>
  /** What a text of a reply would be without the placement, where values are keys. */
  shown?(text: string): string
  /** Databases are those of the cluster: one of Valkey, from version 9 on. Default: there is one. */
  readonly numbered?: true
  /** Keys in answers and logs, by the document's names. Default: without the tag that they begin with. */
  told?(text: string): string
}

const TAG = "tests"
const BEFORE = `{${TAG}}:`
const LEASE = "keywright:lease:"
/** All keys under one hash tag. Keys of Keywright's own have their tag elsewhere. */
const underOneTag: Placement = {
  title: "on a cluster",
  settings: { tag: TAG },
  keysOf: (key) => [key.startsWith(LEASE) ? `${LEASE}${BEFORE}${key.slice(LEASE.length)}` : BEFORE + key],
  nameOf: (key) => (key.startsWith(BEFORE) ? key.slice(BEFORE.length) : undefined),
}

/** What is set for a server: on a cluster, for all of them. */
const FOR_SERVERS = new Set(["CONFIG", "ACL"])

/** Commands all of whose words are keys, and those that have two. */
const ALL_KEYS = new Set(["MGET", "SUNION", "SINTER"])
/** The same, where the keys may be in several slots: their counts are added up. */
const COUNTED = new Set(["EXISTS", "DEL", "UNLINK", "TOUCH"])
const TWO_KEYS = new Set(["RENAME", "COPY", "SMOVE"])
const AFTER_SUBCOMMAND = new Set(["OBJECT", "MEMORY", "XINFO"])
const LISTING = new Set(["SCAN", "KEYS", "DBSIZE"])
const NO_KEYS = new Set(["PING", "FLUSHALL", "FLUSHDB", "INFO", "CONFIG", "SELECT", "SCRIPT"])

/** Three primaries in the ordinary run; six nodes in the full one. */
const openCluster = ({ numbered }: Placement): Promise<RealCluster> => {
  if (numbered) return startPrimaries(3, ["--cluster-databases", "16"], pathOf("valkey-server"))
  return isFull ? startCluster() : startPrimaries(3)
}

type Body = (server: () => TestServer) => void

/** On a real server, the embedded engine and a cluster, in each placement. */
export function onEveryServer(title: string, body: Body, ...placements: readonly Placement[]): void {
  onBothServers(title, body)
  for (const placement of [underOneTag, ...placements]) onCluster(title, body, placement)
}

/** The same, where the tests take long: on a cluster in the full run only, in each placement. */
export function onServersAndInFullOnCluster(title: string, body: Body, ...placements: readonly Placement[]): void {
  onBothServers(title, body)
  if (isFull) for (const placement of [underOneTag, ...placements]) onCluster(title, body, placement)
}

/** On any server and a cluster: for what a placement could change and an engine should not. */
export function onAnyServerAndCluster(title: string, body: Body, placement: Placement = underOneTag): void {
  onAnyServer(title, body)
  onCluster(title, body, placement)
}

/** On any server; on a cluster in the full run only. */
export function onAnyServerAndInFullOnCluster(title: string, body: Body, placement: Placement = underOneTag): void {
  onAnyServer(title, body)
  if (isFull) onCluster(title, body, placement)
}

/** On a real server; on a cluster in the full run only. */
export function onRealServerAndInFullOnCluster(title: string, body: Body, placement: Placement = underOneTag): void {
  onRealServer(title, body)
  if (isFull) onCluster(title, body, placement)
}

/** In one placement of its own; in the full run only. */
export function inFullOnCluster(title: string, body: Body, placement: Placement): void {
  if (isFull) onCluster(title, body, placement)
}

export function onCluster(title: string, body: Body, placement: Placement = underOneTag): void {
  const isThere = needs("redis-server") && (!placement.numbered || needs("valkey-server"))
  describe.runIf(isThere)(`${title}, ${placement.title}`, () => {
    let cluster: RealCluster
    let db: Awaited<ReturnType<typeof open>>
    const open = () => connect(keyspace({}), cluster.nodes[0]!.url)
    const databases = new Map<number, ReturnType<ReturnType<typeof db.$driver>["database"]>>()
    const driverOf = (number: number) => {
      if (!placement.numbered || number === 0) return db.$driver()
      if (!databases.has(number)) databases.set(number, db.$driver().database(number))
      return databases.get(number)!
    }
    const send = async (words: readonly string[], number = 0) =>
      (await (await driverOf(number)).send(words)) as RawReply
    const inPlacement = rawIn(placement, async (words, number) => asBytes(await send(words, number)))
    const raw: TestServer["raw"] = async (...command) => {
      if (command[1] !== undefined) await placement.settle?.(String(command[1]), cluster.nodes[0]!.url)
      return FOR_SERVERS.has(String(command[0])) ? toPrimaries(command.map(String)) : inPlacement(...command)
    }
    /** What is set for a server is set for all. */
    const toPrimaries = async (words: readonly string[]) => {
      const primaries = await db.$driver().primaries()
      return (await Promise.all(primaries.map((node) => node.send(words))))[0] as RawReply
    }
    beforeAll(async () => {
      cluster = await openCluster(placement)
      db = await open()
    })
    beforeEach(() => raw("FLUSHALL"))
    afterAll(async () => {
      await db?.$close()
      await cluster?.stop()
    })
    body(() => ({
      redis: cluster.nodes[0]!.url,
      engine: undefined,
      process: undefined,
      settings: placement.settings,
      ...(placement.told && { told: (text) => placement.told!(text) }),
      cluster,
      outage: outageOf(cluster),
      raw,
      plain: (...command) => send(command.map(String)),
    }))
  })
}

const outageOf = (cluster: RealCluster): Outage => {
  const each = async (work: (node: RealCluster["nodes"][number]) => Promise<void>) =>
    void (await Promise.all(cluster.nodes.map(work)))
  return {
    kill9: () => each((node) => node.kill9()),
    async restart() {
      await each((node) => node.restart())
      await untilReady(cluster)
    },
    pause: () => cluster.nodes.forEach((node) => node.pause()),
    async resume() {
      for (const node of cluster.nodes) node.resume()
      await untilReady(cluster)
    },
  }
}

/** Plain commands by the document's names. */
export function rawIn(
  placement: Placement,
  sendTo: (words: readonly string[], db: number) => Promise<RawReply>,
): TestServer["raw"] {
  let selected = 0
  return async (...command) => {
    const words = command.map(String)
    if (words[0] === "SELECT") {
      selected = Number(words[1])
      return "OK"
    }
    const db = selected
    const send = (words: readonly string[]) => sendTo(words, db)
    if (LISTING.has(words[0]!)) return listed(words, send, placement, db)
    const replies: RawReply[] = []
    for (const one of placed(words, placement, db)) replies.push(shownIn(await send(one), placement))
    return merged(replies)
  }
}

/** A character for each byte, as the client of the other servers has it. */
const asBytes = (reply: RawReply): RawReply =>
  typeof reply === "string" ? Buffer.from(reply).toString("latin1") : Array.isArray(reply) ? reply.map(asBytes) : reply

const shownIn = (reply: RawReply, placement: Placement): RawReply => {
  if (Array.isArray(reply)) return reply.map((one) => shownIn(one, placement))
  return typeof reply === "string" ? (placement.shown?.(reply) ?? reply) : reply
}

/** A command of the document's names → those of the cluster. */
function placed([name = "", ...words]: readonly string[], placement: Placement, db: number): string[][] {
  const keysOf = (key: string, all: readonly string[]) => placement.keysOf(key, all, db)
  if (NO_KEYS.has(name)) return [[name, ...words]]
  const all = [name, ...words]
  if (COUNTED.has(name)) return words.flatMap((word) => keysOf(word, all).map((key) => [name, key]))
  if (ALL_KEYS.has(name) && words.length > 1) return [[name, ...words.flatMap((word) => keysOf(word, all))]]
  const first = AFTER_SUBCOMMAND.has(name) ? 1 : 0
  if (TWO_KEYS.has(name)) return [[name, keysOf(words[0]!, all)[0]!, keysOf(words[1]!, all)[0]!, ...words.slice(2)]]
  return keysOf(words[first] ?? "", all).map((key) => [name, ...words.map((word, i) => (i === first ? key : word))])
}

/** What several shards answered, as one server would: lists are joined, numbers added, and of others the one that is there. */
function merged(replies: readonly RawReply[]): RawReply {
  if (replies.length === 1) return replies[0]!
  if (replies.every((reply) => Array.isArray(reply))) return replies.flat(1) as RawReply
  const there = replies.filter((reply) => reply !== null && reply !== "none" && reply !== -2)
  if (there.every((reply) => typeof reply === "number" && reply >= 0))
    return there.reduce<number>((sum, reply) => sum + Number(reply), 0)
  return there[0] ?? replies[0]!
}

/** Every key by the document's name, each once. */
async function listed(
  words: readonly string[],
  send: (words: readonly string[]) => Promise<RawReply>,
  { nameOf }: Placement,
  db: number,
): Promise<RawReply> {
  const keys = (await send(["KEYS", "*"])) as string[]
  const found = [...new Set(keys.flatMap((key) => nameOf(key, db) ?? []))]
  if (words[0] === "DBSIZE") return found.length
  const at = words[0] === "KEYS" ? 0 : words.indexOf("MATCH")
  const [head = "", tail = ""] = (at < 0 ? "*" : words[at + 1]!).split("*")
  const fitting = found.filter((key) => key.startsWith(head) && key.endsWith(tail))
  return words[0] === "SCAN" ? ["0", fitting] : fitting
}
