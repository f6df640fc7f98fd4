/* Which node has which slots and which of them are moving, asked of every primary: only a
 * node itself knows what it is giving away. */

import { slotsUnreadable, tooManyNodes } from "../../errors/cluster.ts"
import { KeywrightError } from "../../errors/error.ts"
import { SLOTS } from "../cluster-slot.ts"
import type { CallOptions } from "../driver.ts"
import { fewAtOnce } from "../few-at-once.ts"
import { SAFE } from "../safe.ts"
import { MOST_NODES, type SlotState } from "../scan-nodes.ts"
import { endpointIn, type Nat, throughNat } from "./endpoint.ts"
import type { Node } from "./node.ts"
import type { Router } from "./router.ts"

const ANSWER_MS = 1000

/** Nodes that are dialled and asked at the same time. */
const ASKED_AT_ONCE = 32

interface SlotRange {
  readonly from: number
  readonly to: number
}

interface Line {
  readonly id: string
  readonly address: string
  readonly isMyself: boolean
  readonly isPrimary: boolean
  /** It does not answer the other nodes either. */
  readonly hasFailed: boolean
  readonly ranges: readonly SlotRange[]
  /** Slots that it gives away, and the ids of the nodes that get them. */
  readonly leaving: readonly (readonly [slot: number, to: string])[]
}

export async function readSlotState(
  router: Router,
  numberOf: (node: Node) => number,
  nat: Nat | undefined,
): Promise<SlotState> {
  const options: CallOptions = { ...SAFE, timeoutMs: ANSWER_MS }
  if (router.topology.primaries.length === 0) await router.call("one", ["PING"], undefined, undefined, SAFE)
  const asked = router.topology.primaries
  const answers = await fewAtOnce(asked, ASKED_AT_ONCE, async (node) => {
    let text: string
    try {
      text = String(await router.on(node).call("one", ["CLUSTER", "NODES"], undefined, undefined, options))
    } catch (error) {
      if (!(error instanceof KeywrightError)) throw error
      return undefined
    }
    return linesOf(text, node.label)
  })
  const nodes = new Map<string, Node>(asked.map((node) => [node.id, node]))
  const nodeAt = ({ id, address }: Line): Node | undefined => {
    const known = nodes.get(id)
    const endpoint = known ? undefined : endpointIn(address, asked[0]!.endpoint)
    return known ?? (endpoint && router.topology.at(throughNat(endpoint, nat), true))
  }
  const owners = Array.from<number | undefined>({ length: SLOTS })
  const moving = new Map<number, number>()
  const answered = new Set(asked.flatMap(({ id }, at) => (answers[at] === undefined ? [] : [id])))
  // A node's statement about itself is used; for nodes that did not answer, what others say about them.
  const claims = answers.flatMap((lines) =>
    [...(lines?.values() ?? [])].flatMap((line) => {
      const isNews = line.isMyself || !answered.has(line.id)
      const node = line.isPrimary && isNews ? nodeAt(line) : undefined
      return node === undefined ? [] : [{ line, node, lines: lines! }]
    }),
  )
  // The later wins: a node that has failed keeps its slots only until another has taken them.
  for (const { line, node, lines } of claims.toSorted((one, other) => weightOf(one.line) - weightOf(other.line))) {
    const [first] = line.ranges
    // It has taken over and calls have not met it yet: a replica would be passed over by those who walk it.
    if (first !== undefined && router.topology.isReplica(node)) router.topology.moved(first.from, node.endpoint)
    for (const { from, to } of line.ranges) owners.fill(numberOf(node), from, to + 1)
    for (const [slot, id] of line.leaving) {
      const target = lines.get(id)
      const to = target && nodeAt(target)
      if (to) moving.set(slot, numberOf(to))
    }
  }
  const present = [...new Set(owners)].filter((owner) => owner !== undefined)
  return { nodes: present, owners, moving }
}

const weightOf = ({ hasFailed, isMyself }: Line): number => (isMyself ? 2 : hasFailed ? 0 : 1)

/**
 * `id host:port@bus,name flags primary ping pong epoch link slot…`. Throws when it names more nodes than a cluster has, or
 * slots more than once: walking through all that a node makes up would keep the process busy.
 */
function linesOf(text: string, where: string): ReadonlyMap<string, Line> {
  const lines = new Map<string, Line>()
  let [primaries, slots, leavings] = [0, 0, 0]
  for (const row of text.split("\n")) {
    const [id, place, flags, , , , , , ...words] = row.trim().split(" ")
    if (id === undefined || place === undefined || flags === undefined) continue
    const names = flags.split(",")
    const isPrimary = names.includes("master") && !names.includes("noaddr")
    const [isMyself, hasFailed] = [names.includes("myself"), names.includes("fail")]
    const ranges = words.flatMap(rangeIn)
    for (const { from, to } of ranges) slots += to - from + 1
    const leaving = isMyself ? words.flatMap(leavingIn) : []
    leavings += leaving.length
    if (isPrimary) primaries++
    lines.set(id, { id, address: place.replace(/[@,].*$/, ""), isMyself, isPrimary, hasFailed, ranges, leaving })
  }
  if (primaries > MOST_NODES) throw tooManyNodes(where, primaries, MOST_NODES)
  if (slots > SLOTS || leavings > SLOTS) throw slotsUnreadable(where, "It names slots more than once.")
  return lines
}

/** `"5"`, `"0-8191"`. */
function rangeIn(word: string): SlotRange[] {
  const [, from, to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(word) ?? []
  if (from === undefined || Number(to) >= SLOTS || Number(from) > Number(to)) return []
  return [{ from: Number(from), to: Number(to) }]
}

/** `"[5->-id]"` */
function leavingIn(word: string): (readonly [number, string])[] {
  const [, slot, to] = /^\[(\d{1,5})->-(\w+)\]$/.exec(word) ?? []
  return slot === undefined || Number(slot) >= SLOTS ? [] : [[Number(slot), to!]]
}
