/* Who owns which slot: what is known of a cluster, and when it is asked again.
 *
 *  - Three nodes are asked, over existing connections as far as there are any; if there are none, all
 *    known addresses. The ones given first are never forgotten: they are asked where only one is known.
 *  - If only a minority of the known nodes that were asked answers in time, it says nothing about any node that is not
 *    gone: it may be cut off, be part of another cluster by now, or lie. A node that fails to answer counts as asked.
 *    It is gone when it cannot be reached, or has been silent for some seconds. `agree.ts` says what answers add up to.
 *  - Only nodes that the others agreed on are asked: those to which a single node redirects could all be that node.
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
import { agreeOnOwners, agreeOnPlaces, agreeOnReplicas } from "./agree.ts"
import { type Endpoint, isSameEndpoint, showEndpoint } from "./endpoint.ts"
import { Node } from "./node.ts"
import { MOST_MEMBERS, primariesIn, type SlotView } from "./slot-view.ts"

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
const PATIENCE = { majorityMs: 500, othersMs: 60, gist: primariesIn }
/** When only a minority has answered; twice as long each time. */
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
/** A node that does not answer may be busy: for this long, a minority of the others does not speak for it. */
const SILENT_MS = 5000

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
  /** How many of the last questions only a minority has answered. */
  #minorities = 0
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

  /** A node cannot be reached; or does not answer, which may be because it is busy. */
  away(node: Node, isSilent = false): void {
    const now = performance.now()
    node.awaySince ??= now
    node.goneAt = Math.min(node.goneAt ?? Infinity, isSilent ? now + SILENT_MS : now)
    this.want(0)
  }

  back(node: Node): void {
    node.awaySince = undefined
    node.goneAt = undefined
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
      if (isMinority) this.want(Math.min(EVERY_MS, AFTER_MINORITY_MS * 2 ** this.#minorities++))
      else this.#minorities = 0
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
    const asked = this.#ask()
    const members = [...this.#nodes.values()].filter(({ hasVote }) => hasVote)
    // By address: a node that names many others at its own has one vote all the same.
    const known = new Set(members.map(({ label }) => label))
    const isExpected = (node: Node): boolean => !node.isGone && (node.awaySince !== undefined || asked.has(node.label))
    const voters = new Set(members.filter(isExpected).map(({ label }) => label))
    let votes = 0
    for (const [address, answer] of asked)
      answer.then(
        () => {
          if (!known.has(address)) return
          voters.add(address)
          votes++
        },
        () => undefined,
      )
    const views = await gather([...asked.values()], PATIENCE, (error) => (this.lastError = error))
    return { views, isMinority: voters.size > 0 && 2 * votes <= voters.size }
  }

  /** Asks some nodes; by address. */
  #ask(): ReadonlyMap<string, Promise<SlotView>> {
    const canVote = ({ hasVote, awaySince }: Node): boolean => hasVote && awaySince === undefined
    const asked = new Map<string, Promise<SlotView>>()
    for (const node of shuffled(this.#asker.linked().filter(canVote)).slice(0, ASKED_AT_ONCE))
      asked.set(node.label, this.#asker.ask(node))
    const dial = (endpoints: readonly Endpoint[], most: number): void => {
      for (const endpoint of endpoints) {
        const address = showEndpoint(endpoint)
        if (asked.size < most && !asked.has(address)) asked.set(address, this.#asker.dial(endpoint))
      }
    }
    const endpointsOf = (nodes: readonly Node[]): Endpoint[] => shuffled(nodes.map(({ endpoint }) => endpoint))
    if (asked.size === 0 || this.#failures > 0) {
      const members = [...this.#nodes.values()].filter(({ hasVote }) => hasVote)
      const seeds = shuffled(this.#seeds)
      const [some, others] = [seeds.slice(0, DIALLED_AT_ONCE / 2), seeds.slice(DIALLED_AT_ONCE / 2)]
      dial([...some, ...endpointsOf(members), ...others], asked.size + DIALLED_AT_ONCE)
    } else {
      dial(endpointsOf(this.primaries.filter(canVote)), ASKED_AT_ONCE)
      // One node alone is not a majority. Of several, each would have two votes under a second name.
      if (asked.size === 1) dial(shuffled(this.#seeds), ASKED_AT_ONCE)
    }
    return asked
  }

  #learn(views: readonly SlotView[], question: number, isMinority: boolean): void {
    /** Whether what was said about this node is ignored. */
    const isSettled = (node: Node | undefined): boolean => isMinority && node !== undefined && !node.isGone
    const places = agreeOnPlaces(views, (id) => this.#nodes.get(id))
    let isChanged = false
    for (const [id, place] of places) {
      const node = this.#nodes.get(id)
      if (node !== undefined && !isSettled(node) && this.#relocate(node, place)) isChanged = true
    }
    const owners = agreeOnOwners(
      views,
      (slot) => this.#owners[slot]?.id,
      (id) => this.#nodes.get(id)?.isGone === true,
    )
    for (let slot = 0; slot < SLOTS; slot++) {
      // A redirect that came after this question is newer than its answer.
      if ((this.#moved.get(slot) ?? 0) >= question || isSettled(this.#owners[slot])) continue
      if (this.#assign(slot, this.#named(owners[slot], places))) isChanged = true
    }
    const replicas = agreeOnReplicas(views)
    for (const node of this.primaries)
      if (!isSettled(node)) node.replicas = (replicas.get(node.id) ?? []).flatMap((id) => this.#named(id, places) ?? [])
    if (!isMinority) {
      for (const [slot, at] of this.#moved) if (at < question) this.#moved.delete(slot)
      this.#admit(new Set(owners))
    }
    if (this.#forget(isMinority)) isChanged = true
    if (isChanged) for (const watcher of this.#watchers) watcher.onChange()
  }

  /** Returns whether the slot has another owner now. */
  #assign(slot: number, owner: Node | undefined): boolean {
    const before = this.#owners[slot]
    if (owner === before) return false
    // Nobody names an owner: the previous owner can still correct this with a redirect.
    if (owner === undefined && before !== undefined && !before.isGone) return false
    this.#owners[slot] = owner
    return true
  }

  /** The node of this id; undefined if it is not known and nobody says where it is. */
  #named(id: string | undefined, places: ReadonlyMap<string, Endpoint>): Node | undefined {
    if (id === undefined) return undefined
    const place = places.get(id)
    return this.#nodes.get(id) ?? (place && this.#place(id, place))
  }

  /** A node of this id; it may have been known by its address only. */
  #place(id: string, endpoint: Endpoint): Node {
    const address = showEndpoint(endpoint)
    const nameless = this.#nodes.get(address)
    this.#nodes.delete(address)
    const node = nameless ?? new Node(this.#numbers++, id, endpoint)
    node.isStranger = false
    node.id = id
    node.endpoint = endpoint
    this.#nodes.set(id, node)
    return node
  }

  /** At another address it is another node, so that nobody keeps a connection to the old one. Returns whether it is. */
  #relocate(node: Node, endpoint: Endpoint): boolean {
    if (isSameEndpoint(node.endpoint, endpoint)) return false
    if (node.label === showEndpoint(endpoint)) {
      node.endpoint = endpoint
      return false
    }
    const next = this.#place(node.id, endpoint)
    next.hasVote = node.hasVote
    next.replicas = node.replicas
    node.hasLeft = true
    for (let slot = 0; slot < SLOTS; slot++) if (this.#owners[slot] === node) this.#owners[slot] = next
    for (const one of this.#nodes.values())
      one.replicas = one.replicas.map((replica) => (replica === node ? next : replica))
    return true
  }

  /** Gives those a vote that a majority knows. */
  #admit(owners: ReadonlySet<string | undefined>): void {
    for (const primary of this.primaries)
      if (owners.has(primary.id)) for (const node of [primary, ...primary.replicas]) node.hasVote = true
  }

  /**
   * Removes nodes that have left: they own no slot, and are no replicas. A minority has only those removed that a
   * minority has named. Returns whether there were any.
   */
  #forget(isMinority: boolean): boolean {
    const { primaries } = this
    const kept = new Set([...primaries, ...primaries.flatMap(({ replicas }) => replicas)])
    let isChanged = false
    for (const [id, node] of this.#nodes) {
      if (kept.has(node) || (isMinority && (node.hasVote || node.isStranger))) continue
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
