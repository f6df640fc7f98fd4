/* The tests of a system on a cluster, where all its keys are under one hash tag. What tests
 * read and write by plain commands has the document's names: the tag is added on the way
 * there, and removed on the way back. */

import { connect, keyspace } from "keywright"
import { afterAll, beforeAll, beforeEach, describe } from "vitest"
import { isFull } from "../../../test/full.ts"
import { needs } from "../../../test/needs.ts"
import { type RealCluster, startCluster, startPrimaries } from "../../../test/redis-cluster.ts"
import type { RawReply } from "../../../test/resp-client.ts"
import { onBothServers, type TestServer } from "./servers.ts"

const TAG = "tests"
const BEFORE = `{${TAG}}:`
/** Commands all of whose words are keys, and those that have two. */
const ALL_KEYS = new Set(["EXISTS", "DEL", "UNLINK", "MGET", "TOUCH", "SUNION", "SINTER"])
const TWO_KEYS = new Set(["RENAME", "COPY", "SMOVE"])
const AFTER_SUBCOMMAND = new Set(["OBJECT", "MEMORY", "XINFO"])
const NO_KEYS = new Set(["PING", "FLUSHALL", "FLUSHDB", "DBSIZE", "SCAN", "INFO", "CONFIG", "SELECT", "SCRIPT"])

/** Three primaries in the ordinary run; six nodes in the full one. */
const openCluster = (): Promise<RealCluster> => (isFull ? startCluster() : startPrimaries(3))

type Body = (server: () => TestServer) => void

/** On a real server, the embedded engine and a cluster. */
export function onEveryServer(title: string, body: Body): void {
  onBothServers(title, body)
  onCluster(title, body)
}

/** The same, where the tests take long: on a cluster in the full run only. */
export function onServersAndInFullOnCluster(title: string, body: Body): void {
  onBothServers(title, body)
  if (isFull) onCluster(title, body)
}

function onCluster(title: string, body: Body): void {
  describe.runIf(needs("redis-server"))(`${title}, on a cluster`, () => {
    let cluster: RealCluster
    let db: Awaited<ReturnType<typeof open>>
    const open = () => connect(keyspace({}), cluster.nodes[0]!.url)
    const raw = async (...command: (string | number)[]): Promise<RawReply> => {
      const words = command.map(String)
      if (words[0] === "SELECT") return "OK"
      const reply = await db.$driver().send(underTag(words))
      return (words[0] === "KEYS" || words[0] === "SCAN" ? withoutTag(reply as RawReply) : reply) as RawReply
    }
    beforeAll(async () => {
      cluster = await openCluster()
      db = await open()
    })
    beforeEach(() => raw("FLUSHALL"))
    afterAll(async () => {
      await db?.$close()
      await cluster?.stop()
    })
    body(() => ({ redis: cluster.nodes[0]!.url, engine: undefined, process: undefined, tag: TAG, raw }))
  })
}

const LEASE = "keywright:lease:"

/** Keys of Keywright's own have their tag elsewhere. */
const tagged = (key: string): string =>
  key.startsWith(LEASE) ? `${LEASE}${BEFORE}${key.slice(LEASE.length)}` : BEFORE + key

function underTag([name = "", ...words]: readonly string[]): string[] {
  if (name === "KEYS") return [name, BEFORE + words[0]!]
  if (NO_KEYS.has(name)) return [name, ...words]
  if (ALL_KEYS.has(name)) return [name, ...words.map(tagged)]
  const first = AFTER_SUBCOMMAND.has(name) ? 1 : 0
  const last = TWO_KEYS.has(name) ? 1 : first
  return [name, ...words.map((word, i) => (i >= first && i <= last ? tagged(word) : word))]
}

/** Of a list of keys, those of the system. */
function withoutTag(reply: RawReply): RawReply {
  if (!Array.isArray(reply)) return reply
  return reply.flatMap((one): RawReply[] => {
    if (Array.isArray(one)) return [withoutTag(one)]
    if (typeof one !== "string" || /^\d+$/.test(one)) return [one]
    return one.startsWith(BEFORE) ? [one.slice(BEFORE.length)] : []
  })
}
