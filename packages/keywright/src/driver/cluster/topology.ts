/* Who owns which slot: what is known of a cluster, and when it is asked again.
 *
 *  - Three nodes are asked, over existing connections as far as there are any; if there are none, all
 *    known addresses. The ones given first are never forgotten: they are asked where fewer than three are known.
 *  - If only a minority of the known nodes that were asked answers in time, it says nothing about the slots of nodes
 *    that can be reached: it may be cut off, be part of another cluster by now, or lie.
 *  - Asked again: after MOVED, when a primary cannot be reached or does not answer, when a slot
 *    has no owner, and every half a minute. One question at a time, at least 100 ms apart;
 *    while nobody answers, the interval doubles each time.
 *  - MOVED takes effect at once, and overrides the answer to an older question.
 *  - A redirect may lead to a node that no answer has named yet: it was added a moment ago, or gets its first slot.
 *    Only some of them are accepted at once, and in a second, so that a node that lies cannot have thousands dialled;
 *    those that are not named in the next answer are forgotten.
 *  - Nothing here makes a call wait: calls are routed by what is known. */

import { gather } from "../gather.ts"
import { SLOTS } from "../cluster-slot.ts"
import { agree } from "./agree.ts"
import { type Endpoint, showEndpoint } from "./endpoint.ts"
import { Node } from "./node.ts"
import { MOST_MEMBERS, type SeenNode, type SlotView } from "./slot-view.ts"

/** How nodes are asked. */
export interface Asker {
  /** Nodes that can be asked over an existing connection. */
  linked(): readonly Node[]
  /** What a node says, over that connection. */
  ask(node: Node): Promise<SlotView>
  /** The view of the node at this address, over a connection opened for this question. */
  dial(endpoint: Endpoint): Promise<SlotView>
}

export interface TopologyWatcher {
  /** Owners have changed, or nodes have left. */
  onChange(): void
  /** Whether calls wait for owners that are not known. */
  readonly isWaiting: boolean
}

const ASKED_AT_ONCE = 3
const DIALLED_AT_ONCE = 6
/** How long a majority is waited for after the first answer, and then the others. */
const PATIENCE = { majorityMs: 500, othersMs: 60 }
/** When only a minority has answered. */
const AFTER_MINORITY_MS = 1000
const APART_MS = 100
const LONGEST_APART_MS = 2000
/** The rest of the slots, after one was found to have moved. */
const AFTER_MOVED_MS = 50
const AFTER_MOVED_SPREAD_MS = 70
const EVERY_MS = 30_000
/** An owner that has been unreachable for this long is not expected back soon. */
const LONG_AWAY_MS = 30_000
const LONG_AWAY_APART_MS = 1000

/** Nodes that no answer has named: how many are accepted at once, and new ones within a while. */
export const MOST_STRANGERS = 16
const STRANGERS_MS = 1000
/** Until it is asked whether they are part of the cluster, after they were needed. */
const STRANGER_MS = 5000

const spread = (ms: number): number => ms * (1 + Math.random())

export class Topology {
  readonly #asker: Asker
  readonly #seeds: readonly Endpoint[]
  readonly #owners: (Node | undefined)[] = Array.from<Node | undefined>({ length: SLOTS })
  readonly #nodes = new Map<string, Node>()
  readonly #watchers = new Set<TopologyWatcher>()
  /** Slots that were reported as moved, and the number of questions asked by then. */
  readonly #moved = new Map<number, number>()
  #numbers = 0
  /** When the last strangers were met. */
  readonly #met: number[] = []
  #questions = 0
  #failures = 0
  #isAsking = false
  #askedAt = -Infinity
  #due = Infinity
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** Why nothing is known, or what the last question met. */
  lastError: unknown
  /** Questions that were asked so far. */
  get questions(): number {
    return this.#questions
  }

  constructor(seeds: readonly Endpoint[], asker: Asker) {
    this.#seeds = seeds
    this.#asker = asker
    this.want(0)
  }

  /** Who owns a slot, as far as is known. */
  ownerOf(slot: number): Node | undefined {
    return this.#owners[slot]
  }

  /** All that own slots, in the order of their slots. */
  get primaries(): readonly Node[] {
    return [...new Set(this.#owners)].filter((node) => node !== undefined)
  }

  /**
   * Whether it follows a primary now. A node without slots that follows none may be about to get some; one that was
   * found to have a slot has taken over, though the question about all others may not be answered yet.
   */
  isReplica(node: Node): boolean {
    const { primaries } = this
    return !primaries.includes(node) && primaries.some(({ replicas }) => replicas.includes(node))
  }

  /** The addresses of nodes that were needed and do not answer. */
  get unreached(): readonly string[] {
    return [...this.#nodes.values()].filter(({ awaySince }) => awaySince !== undefined).map(({ label }) => label)
  }

  get isKnown(): boolean {
    return this.#nodes.size > 0
  }

  watch(watcher: TopologyWatcher): void {
    this.#watchers.add(watcher)
  }

  unwatch(watcher: TopologyWatcher): void {
    this.#watchers.delete(watcher)
  }

  /** A node said that a slot is elsewhere now. Undefined as of `at`. */
  moved(slot: number, to: Endpoint): Node | undefined {
    const node = this.at(to)
    if (slot < SLOTS && node !== undefined) {
      this.#owners[slot] = node
      this.#moved.set(slot, this.#questions)
    }
    this.want(AFTER_MOVED_MS + Math.random() * AFTER_MOVED_SPREAD_MS)
    return node
  }

  /**
   * The node at an address; an unknown one is known from now on. Undefined when too many unknown addresses came from
   * redirects, or when more members were named than any cluster has.
   */
  at(endpoint: Endpoint, isNamed = false): Node | undefined {
    const address = showEndpoint(endpoint)
    let strangers = 0
    for (const node of this.#nodes.values()) {
      if (node.label === address) return node
      if (node.isStranger) strangers++
    }
    if (isNamed ? this.#nodes.size >= MOST_MEMBERS : !this.#accepts(strangers)) return undefined
    const node = new Node(this.#numbers++, address, endpoint)
    node.isStranger = !isNamed
    this.#nodes.set(node.id, node)
    return node
  }

  /** Whether one more stranger may be there. */
  #accepts(strangers: number): boolean {
    const now = performance.now()
    while (this.#met[0]! < now - STRANGERS_MS) this.#met.shift()
    const isTooMany = strangers >= MOST_STRANGERS || this.#met.length >= MOST_STRANGERS
    this.want(isTooMany ? AFTER_MOVED_MS : STRANGER_MS)
    if (!isTooMany) this.#met.push(now)
    return !isTooMany
  }

  /** A node cannot be reached, or does not answer. */
  away(node: Node): void {
    node.awaySince ??= performance.now()
    this.want(0)
  }

  back(node: Node): void {
    node.awaySince = undefined
  }

  /** Asks again within this many milliseconds, at the usual interval. */
  want(ms: number): void {
    if (this.#isClosed) return
    const now = performance.now()
    const apart = Math.min(LONGEST_APART_MS, APART_MS * 2 ** Math.min(this.#failures, 10))
    const at = Math.max(now + ms, this.#askedAt + apart)
    if (at >= this.#due) return
    this.#due = at
    if (this.#isAsking) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#refresh(), Math.max(0, at - now))
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #refresh(): Promise<void> {
    this.#isAsking = true
    this.#due = Infinity
    this.#askedAt = performance.now()
    const question = ++this.#questions
    const { views, isMinority } = await this.#views()
    this.#isAsking = false
    if (this.#isClosed) return
    if (views.length > 0) {
      this.#failures = 0
      this.#learn(views, question, isMinority)
      if (isMinority) this.want(AFTER_MINORITY_MS)
    } else this.#failures++
    const due = this.#due
    this.#due = Infinity
    if (due < Infinity) this.want(due - performance.now())
    this.want(this.#nextMs())
  }

  #nextMs(): number {
    if (this.#failures > 0) return 0
    const now = performance.now()
    const primaries = this.primaries
    const away = primaries.filter(({ awaySince }) => awaySince !== undefined)
    if ([...this.#watchers].some(({ isWaiting }) => isWaiting)) return spread(APART_MS)
    if (away.some(({ awaySince }) => now - awaySince! < LONG_AWAY_MS)) return spread(APART_MS)
    if (away.length > 0) return spread(LONG_AWAY_APART_MS)
    return EVERY_MS * (0.8 + Math.random() * 0.4)
  }

  /** The views of those who answer in time, and whether most of the known nodes that could have do not. */
  async #views(): Promise<{ views: SlotView[]; isMinority: boolean }> {
    const linked = shuffled(this.#asker.linked().filter(({ awaySince }) => awaySince === undefined))
    const asked = new Map<string, Promise<SlotView>>()
    for (const node of linked.slice(0, ASKED_AT_ONCE)) asked.set(node.label, this.#asker.ask(node))
    const dial = (endpoints: readonly Endpoint[], most: number): void => {
      for (const endpoint of endpoints) {
        const address = showEndpoint(endpoint)
        if (asked.size < most && !asked.has(address)) asked.set(address, this.#asker.dial(endpoint))
      }
    }
    const endpointsOf = (nodes: Iterable<Node>): Endpoint[] => shuffled([...nodes].map(({ endpoint }) => endpoint))
    if (asked.size === 0 || this.#failures > 0)
      dial([...this.#seeds, ...endpointsOf(this.#nodes.values())], asked.size + DIALLED_AT_ONCE)
    else {
      // One node alone is not a majority.
      const there = this.primaries.filter((node) => node.awaySince === undefined && !node.isStranger)
      dial(endpointsOf(there), ASKED_AT_ONCE)
      dial(shuffled(this.#seeds), ASKED_AT_ONCE)
    }
    let [voters, votes] = [0, 0]
    // By address: a node that names many others at its own has one vote all the same.
    const known = new Set([...this.#nodes.values()].flatMap(({ isStranger, label }) => (isStranger ? [] : label)))
    for (const [address, answer] of asked) {
      if (!known.has(address)) continue
      voters++
      answer.then(
        () => votes++,
        () => voters--,
      )
    }
    const views = await gather([...asked.values()], PATIENCE, (error) => (this.lastError = error))
    return { views, isMinority: voters > 0 && 2 * votes <= voters }
  }

  #learn(views: readonly SlotView[], question: number, isMinority: boolean): void {
    const seen = new Map<string, SeenNode>()
    const replicas = new Map<string, readonly SeenNode[]>()
    for (const range of views.flat()) {
      for (const node of [range.primary, ...range.replicas])
        if (seen.get(node.id)?.endpoint === undefined || this.#isAt(node)) seen.set(node.id, node)
      if (!replicas.has(range.primary.id)) replicas.set(range.primary.id, range.replicas)
    }
    const owners = agree(
      views,
      (slot) => this.#owners[slot]?.id,
      (id) => this.#nodes.get(id)?.awaySince !== undefined,
    )
    /** Whether nothing that was said about it counts. */
    const isSettled = (node: Node | undefined): boolean =>
      isMinority && node !== undefined && node.awaySince === undefined
    const nodes = new Map<string, Node>()
    for (const [id, { endpoint }] of seen) {
      const known = this.#nodes.get(id)
      if (isSettled(known)) nodes.set(id, known!)
      else if (endpoint !== undefined) nodes.set(id, this.#known(id, endpoint))
    }
    let isChanged = false
    for (let slot = 0; slot < SLOTS; slot++) {
      const moved = this.#moved.get(slot)
      // Said after this was asked: it is newer.
      if (moved !== undefined && moved >= question) continue
      const id = owners[slot]
      const owner = id === undefined ? undefined : nodes.get(id)
      const before = this.#owners[slot]
      if (owner === before || isSettled(before)) continue
      // Nobody names an owner: the previous owner can still correct this with a redirect.
      if (owner === undefined && before !== undefined && before.awaySince === undefined) continue
      this.#owners[slot] = owner
      isChanged = true
    }
    if (!isMinority) for (const [slot, at] of this.#moved) if (at < question) this.#moved.delete(slot)
    for (const node of nodes.values())
      if (!isSettled(node)) node.replicas = (replicas.get(node.id) ?? []).flatMap(({ id }) => nodes.get(id) ?? [])
    const isForgotten = !isMinority && this.#forget(nodes)
    if (isForgotten || isChanged) for (const watcher of this.#watchers) watcher.onChange()
  }

  #isAt({ id, endpoint }: SeenNode): boolean {
    return endpoint !== undefined && this.#nodes.get(id)?.label === showEndpoint(endpoint)
  }

  /** The node of this id, wherever it was before; or one that was only known by its address. */
  #known(id: string, endpoint: Endpoint): Node {
    const known = this.#nodes.get(id)
    if (known !== undefined) {
      known.endpoint = endpoint
      return known
    }
    const address = showEndpoint(endpoint)
    const nameless = this.#nodes.get(address)
    const node = nameless ?? new Node(this.#numbers++, id, endpoint)
    this.#nodes.delete(address)
    node.isStranger = false
    node.id = id
    this.#nodes.set(id, node)
    return node
  }

  /** Removes nodes that have left (nobody names them, and they own no slot); returns whether there were any. */
  #forget(named: ReadonlyMap<string, Node>): boolean {
    const owners = new Set(this.#owners)
    let isChanged = false
    for (const [id, node] of this.#nodes) {
      if (named.has(id) || owners.has(node)) continue
      this.#nodes.delete(id)
      node.hasLeft = true
      isChanged = true
    }
    return isChanged
  }
}

function shuffled<T>(items: readonly T[]): T[] {
  const mixed = [...items]
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!]
  }
  return mixed
}
