/* What concerns several nodes: taken apart, sent to each at once, and put together in order.
 *
 * Each command of a batch is refused and retried separately, without the others. A node that
 * fails only fails its own commands. */

import { batchHalfSent } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { failedAt } from "../../errors/failed-at.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"
import type { CallOptions, Command, Reply } from "../driver.ts"
import { ANY_NODE, Call, SEVERAL_SLOTS } from "../resp/call.ts"
import { type Node, whereOf } from "./node.ts"
import type { Router } from "./router.ts"
import { hasNodeLeft } from "../node-left.ts"
import { isReadCommand } from "../read-commands.ts"
import { cursorOn, nodeOf } from "../scan-nodes.ts"
import { isOfConnection, isPassing, type JoinAll, type Part, slotOf } from "./routing.ts"

interface CallsOfNode {
  readonly node: Node | undefined
  readonly places: number[]
}

/** What the commands of a batch have in common. */
interface Shared {
  readonly router: Router
  readonly commands: readonly Command[]
  readonly slots: readonly number[]
  readonly options: CallOptions | undefined
  readonly until: number
}

export async function batchOf(
  router: Router,
  commands: readonly Command[],
  options: CallOptions | undefined,
): Promise<Reply[]> {
  const slots = commands.map(slotOf)
  const until = router.now + (options?.timeoutMs ?? router.timeoutMs)
  const shared: Shared = { router, commands, slots, options, until }
  if (commands.some(isOfConnection)) return together(shared)
  const replies = Array.from<Reply>({ length: commands.length })
  const groups = groupsOf(shared)
  const failures: unknown[] = []
  await Promise.all(
    groups.map(async (group) => {
      try {
        const found = await sendGroup(shared, group)
        group.places.forEach((place, i) => (replies[place] = found[i]!))
      } catch (error) {
        if (!(error instanceof KeywrightError)) throw error
        failures.push(error)
        for (const place of group.places) replies[place] = error
      }
    }),
  )
  if (failures.length === groups.length) throw failures.find((error) => error instanceof OutcomeUnknown) ?? failures[0]
  return replies
}

/** Keys of several slots: each slot's part by itself. */
export async function inParts(
  router: Router,
  { join, parts }: { readonly join: "sum" | "list"; readonly parts: readonly Part[] },
  options: CallOptions | undefined,
): Promise<Reply> {
  const replies = await batchOf(
    router,
    parts.map(({ command }) => command),
    options,
  )
  refuseUnlessWhole(parts[0]!.command, replies)
  if (join === "sum") return replies.reduce<number>((sum, reply) => sum + Number(reply), 0)
  const list: Reply[] = []
  parts.forEach(({ places }, i) => {
    const found = replies[i] as readonly Reply[]
    places.forEach((place, at) => (list[place] = found[at]!))
  })
  return list
}

/** The same command on every primary. */
export async function everywhere(
  router: Router,
  command: Command,
  join: JoinAll,
  options: CallOptions | undefined,
): Promise<Reply> {
  const { primaries } = router.topology
  if (primaries.length === 0) {
    await router.call("one", ["PING"], undefined, undefined, options)
    return everywhere(router, command, join, options)
  }
  if (join === "scan") return scan(router, command, options)
  const until = router.now + (options?.timeoutMs ?? router.timeoutMs)
  const answered = new Map<Node, Reply>()
  const asked = async (node: Node): Promise<void> => {
    const timeoutMs = Math.max(1, until - performance.now())
    try {
      answered.set(node, await router.on(node).call("one", command, undefined, undefined, { ...options, timeoutMs }))
    } catch (error) {
      if (!(error instanceof KeywrightError)) throw error
      // A node that has left was not asked; those that have its slots now are asked next.
      if (!hasNodeLeft(error)) answered.set(node, error)
    }
  }
  for (let left = primaries; left.length > 0; left = router.topology.primaries.filter((node) => !answered.has(node)))
    await Promise.all(left.map(asked))
  const replies = [...answered.values()]
  refuseUnlessWhole(command, replies)
  if (join === "sum") return replies.reduce<number>((sum, reply) => sum + Number(reply), 0)
  return join === "list" ? (replies as readonly (readonly Reply[])[]).flat() : replies[0]!
}

/** A page of one node, with the cursor of the cluster. */
async function scan(router: Router, [name, at, ...words]: Command, options: CallOptions | undefined): Promise<Reply> {
  const { scanned } = router
  const { node: number, cursor } = nodeOf(/^\d{1,20}$/.test(String(at)) ? String(at) : "0")
  const node = scanned.at(number)
  const after = scanned.after(number)
  const next = after === undefined ? "0" : cursorOn(after, "0")
  // Its slots have moved, and are walked at their new nodes.
  if (node === undefined) return [next, []]
  try {
    const page = await router.on(node).call("one", [name!, cursor, ...words], undefined, undefined, options)
    const [at, keys] = page as Reply[]
    return [String(at) === "0" ? next : cursorOn(number, String(at)), keys!]
  } catch (error) {
    if (!hasNodeLeft(error)) throw error
    return scan(router, [name!, cursorOn(number, cursor), ...words], options)
  }
}

const CHANGES = /^(DEL|UNLINK|TOUCH|FLUSHALL|FLUSHDB)$/i

/** Throws when a part failed; if another part was carried out, the error says that the outcome is mixed. */
function refuseUnlessWhole([name]: Command, replies: readonly Reply[]): void {
  const errors = replies.filter((reply) => reply instanceof KeywrightError)
  if (errors.length === 0) return
  const unknown = errors.find((error) => error instanceof OutcomeUnknown)
  if (unknown !== undefined || errors.length === replies.length) throw unknown ?? errors[0]
  const certain = errors.find((error) => error instanceof NotApplied)
  // A refusal says that nothing was written.
  if (certain === undefined && !CHANGES.test(String(name))) throw errors[0]
  throw batchHalfSent(certain ?? errors[0]!)
}

/** By node; commands without keys go with the first. */
function groupsOf({ router, slots }: Shared): CallsOfNode[] {
  const groups = new Map<Node | undefined, CallsOfNode>()
  const keyless: number[] = []
  slots.forEach((slot, place) => {
    if (slot === ANY_NODE) return void keyless.push(place)
    const node = router.topology.ownerOf(slot)
    const group = groups.get(node)
    if (group === undefined) groups.set(node, { node, places: [place] })
    else group.places.push(place)
  })
  const [first] = groups.values()
  if (keyless.length === 0) return [...groups.values()]
  if (first === undefined) return [{ node: router.anyNode(), places: keyless }]
  const rest = [...groups.values()].slice(1)
  return [{ node: first.node, places: [...first.places, ...keyless].sort((a, b) => a - b) }, ...rest]
}

async function sendGroup(shared: Shared, { node, places }: CallsOfNode): Promise<Reply[]> {
  const { router, commands, slots, options } = shared
  if (node === undefined || places.length === 1) return Promise.all(places.map((place) => alone(shared, place)))
  const own = places.map((place) => commands[place]!)
  // Calls that wait for a node may be sent elsewhere, if all of them are for one slot.
  const slot = places.every((place) => slots[place] === slots[places[0]!]) ? slots[places[0]!] : undefined
  let isLost = false
  const found = await new Promise<readonly Reply[]>((resolve, reject) => {
    const failed = (error: unknown) => {
      isLost = call.lost
      reject(error)
    }
    const call = new Call("batch", own[0]!, own, undefined, options, shared.until, resolve as never, failed)
    call.slot = slot ?? SEVERAL_SLOTS
    const reader =
      options?.read === undefined || !own.every(isReadCommand)
        ? undefined
        : router.readerOf(slots[places[0]!]!, options)
    ;(reader ?? router.on(node)).take(call)
  }).catch((error: unknown) => {
    if (!hasNodeLeft(error)) throw error
    return undefined
  })
  if (found === undefined) return Promise.all(places.map((place) => alone(shared, place, isLost)))
  return Promise.all(
    found.map((reply, i) => (reply instanceof KeywrightError ? again(shared, places[i]!, node, reply) : reply)),
  )
}

/** Sends a refused command to where the refusal says; returns its error when that is final. */
function again(shared: Shared, place: number, node: Node, error: KeywrightError): Promise<Reply> | Reply {
  return new Promise((resolve, reject) => {
    const call = callOf(shared, place, resolve as never, reject)
    if (shared.router.redirect(node, call, error)) return
    failedAt(error, whereOf(node, call.slot))
    resolve(error)
  }).catch(inPlace) as Promise<Reply>
}

/** `isLost`: it was sent before, and asking twice does no harm. */
function alone(shared: Shared, place: number, isLost = false): Promise<Reply> {
  const { router, options, commands, slots } = shared
  return new Promise((resolve, reject) => {
    const call = callOf(shared, place, resolve as never, reject)
    call.lost = isLost
    const isRead = options?.read !== undefined && !isLost && isReadCommand(commands[place]!)
    const reader = isRead ? router.readerOf(slots[place]!, options) : undefined
    if (reader === undefined) router.take(call)
    else reader.take(call)
  }).catch(inPlace) as Promise<Reply>
}

function callOf(
  shared: Shared,
  place: number,
  resolve: (reply: never) => void,
  reject: (error: unknown) => void,
): Call {
  const { commands, slots, options, until } = shared
  const call = new Call("one", commands[place]!, undefined, undefined, options, until, resolve, reject)
  call.slot = slots[place]!
  return call
}

function inPlace(error: unknown): Reply {
  if (error instanceof KeywrightError) return error
  throw error
}

/** A write and its WAIT: on one connection, or not at all; all of it again when nothing of it was carried out. */
async function together(shared: Shared): Promise<Reply[]> {
  const { router, commands, slots, options, until } = shared
  const slot = slots.find((one) => one !== ANY_NODE) ?? ANY_NODE
  // ASKING holds for the command directly after it.
  const canAsk = slots[0] !== ANY_NODE && slots.every((one, i) => i === 0 || one === ANY_NODE)
  let asked: Node | undefined
  for (;;) {
    let node: Node | undefined
    const replies = await new Promise<Reply[]>((resolve, reject) => {
      const call = new Call("batch", commands[0]!, commands, undefined, options, until, resolve as never, reject)
      call.slot = slot
      node = asked ?? (slot === ANY_NODE ? router.anyNode() : router.topology.ownerOf(slot))
      if (asked === undefined) return router.take(call)
      call.asking = true
      router.on(asked).take(call)
    })
    const keyed = replies.filter((_, i) => slots[i] !== ANY_NODE)
    const refusals = keyed.filter((reply) => reply instanceof KeywrightError)
    // It may have waited for the owner to be known.
    node ??= router.topology.ownerOf(slot)
    if (refusals.length === 0 || refusals.length < keyed.length || node === undefined) return replies
    const wasAsked = asked !== undefined
    asked = canAsk && !wasAsked ? router.askedFor(node, refusals[0]!) : undefined
    if (asked !== undefined) continue
    const isAgain = await router.pause(node, slot, refusals[0]!, until)
    if (isAgain) continue
    const owner = node
    return replies.map((reply) =>
      reply instanceof KeywrightError && isPassing(reply) ? router.noted(owner, slot, reply) : reply,
    )
  }
}
