/* Which node has which slots and which of them are moving, asked of every primary: only a
 * node itself knows what it is giving away. */

import { tooManyNodes } from "../../errors/cluster.ts"
import { KeywrightError } from "../../errors/error.ts"
import { SLOTS } from "../cluster-slot.ts"
import type { CallOptions } from "../driver.ts"
import { SAFE } from "../safe.ts"
import { MOST_NODES, type SlotState } from "../scan-nodes.ts"
import { endpointIn, type Nat, throughNat } from "./endpoint.ts"
import type { Node } from "./node.ts"
import type { Router } from "./router.ts"

const ANSWER_MS = 1000

/** Nodes that are dialled and asked at the same time. */
const ASKED_AT_ONCE = 32

interface Line {
  readonly id: string
  readonly address: string
  readonly isMyself: boolean
  readonly isPrimary: boolean
  /** It does not answer the other nodes either. */
  readonly hasFailed: boolean
  readonly words: readonly string[]
}

export async function readSlotState(
  router: Router,
  numberOf: (node: Node) => number,
  nat: Nat | undefined,
): Promise<SlotState> {
  const options: CallOptions = { ...SAFE, timeoutMs: ANSWER_MS }
  if (router.topology.primaries.length === 0) await router.call("one", ["PING"], undefined, undefined, SAFE)
  const asked = router.topology.primaries
  const answers = await fewAtATime(asked, async (node) => {
    try {
      return linesOf(String(await router.on(node).call("one", ["CLUSTER", "NODES"], undefined, undefined, options)))
    } catch (error) {
      if (!(error instanceof KeywrightError)) throw error
      return undefined
    }
  })
  for (const [at, lines] of answers.entries()) {
    const primaries = lines?.filter(({ isPrimary }) => isPrimary).length ?? 0
    if (primaries > MOST_NODES) throw tooManyNodes(asked[at]!.label, primaries, MOST_NODES)
  }
  const nodes = new Map<string, Node>(asked.map((node) => [node.id, node]))
  const nodeAt = ({ id, address }: Line): Node | undefined => {
    const known = nodes.get(id)
    const endpoint = known ? undefined : endpointIn(address, asked[0]!.endpoint)
    return known ?? (endpoint && router.topology.at(throughNat(endpoint, nat), true))
  }
  const owners = Array.from<number | undefined>({ length: SLOTS })
  const moving = new Map<number, number>()
  // A node's statement about itself is used; for nodes that did not answer, what others say about them.
  const claims = answers.flatMap((lines) =>
    (lines ?? []).flatMap((line) => {
      const isNews = line.isMyself || !asked.some((node, at) => node.id === line.id && answers[at] !== undefined)
      const node = line.isPrimary && isNews ? nodeAt(line) : undefined
      return node === undefined ? [] : [{ line, node, lines: lines! }]
    }),
  )
  // The later wins: a node that has failed keeps its slots only until another has taken them.
  for (const { line, node, lines } of claims.toSorted((one, other) => weightOf(one.line) - weightOf(other.line)))
    for (const word of line.words) {
      const range = /^(\d+)(?:-(\d+))?$/.exec(word)
      if (range) {
        owners.fill(numberOf(node), Number(range[1]), Number(range[2] ?? range[1]) + 1)
        // It has taken over and calls have not met it yet: a replica would be passed over by those who walk it.
        if (router.topology.isReplica(node)) router.topology.moved(Number(range[1]), node.endpoint)
      }
      const leaving = line.isMyself ? /^\[(\d+)->-(\w+)\]$/.exec(word) : null
      const target = leaving && lines.find(({ id }) => id === leaving[2])
      const to = target && nodeAt(target)
      if (leaving && to) moving.set(Number(leaving[1]), numberOf(to))
    }
  const present = [...new Set(owners)].filter((owner) => owner !== undefined)
  return { nodes: present, owners, moving }
}

async function fewAtATime<T, R>(items: readonly T[], use: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const at = next++
      results[at] = await use(items[at]!)
    }
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, work))
  return results
}

const weightOf = ({ hasFailed, isMyself }: Line): number => (isMyself ? 2 : hasFailed ? 0 : 1)

/** `id host:port@bus,name flags primary ping pong epoch link slot…` */
function linesOf(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    const [id, place, flags, , , , , , ...words] = line.trim().split(" ")
    if (id === undefined || place === undefined || flags === undefined) return []
    const names = flags.split(",")
    const isPrimary = names.includes("master") && !names.includes("noaddr")
    const [isMyself, hasFailed] = [names.includes("myself"), names.includes("fail")]
    return [{ id, address: place.replace(/[@,].*$/, ""), isMyself, isPrimary, hasFailed, words }]
  })
}
