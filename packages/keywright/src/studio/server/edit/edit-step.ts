/* An edit of a plain key as one step: its commands are noted first, and carried out by
 * the script that carries out repairs, which compares what they rest on. */

import { applyEdit } from "../../../change/carry-out/carry-out.ts"
import { expectedOf } from "../../../change/plan/expected.ts"
import type { Action, Expectation } from "../../../change/plan/plan.ts"
import { wordOf } from "../../../change/plan/word.ts"
import { version } from "../../../client/entity/handed-out.ts"
import type { Lane } from "../../../client/call/lane.ts"
import type { Command, Driver, Reply, Wire } from "../../../driver/driver.ts"
import { SAFE_BYTES } from "../../../driver/safe.ts"
import { changedMeanwhile, notEditable } from "../../../errors/studio.ts"
import type { KeyModel } from "../../../inspect/model/model.ts"
import { asWire } from "../../../inspect/walk/wire.ts"
import { listPlace, type QueueWrites } from "./edit-plain.ts"
import { type ElementRef, shownWith } from "./element-ref.ts"
import type { OpenSystem } from "../open-system.ts"
import { factsOf, seenString } from "../read-key.ts"
import { LENGTHS } from "../../../inspect/model/reading.ts"

type EditStep = Pick<Action, "db" | "key" | "why" | "expects"> & { readonly commands: readonly Command[] }

export async function carryOutEdit({ driver, name }: OpenSystem, { commands, ...step }: EditStep): Promise<void> {
  const action: Action = {
    ...step,
    code: "STUDIO.EDIT",
    pattern: "",
    commands: commands.map((words) => words.map((word) => wordOf(word))),
    undo: [],
  }
  const { skipped, refused, refusal } = await applyEdit(
    {
      format: "keywright-plan",
      version: 1,
      made: new Date().toISOString(),
      server: driver.label,
      schema: { name, fingerprint: "" },
      actions: [action],
      left: {},
    },
    driver,
  )
  if (refused > 0) throw notEditable(step.key, `the server refused it: ${refusal ?? ""}`)
  if (skipped > 0) throw changedMeanwhile(step.key)
}

/** The commands of an edit; `scripted` when one of them is a script of the toolkit's own (keys of a family). */
export async function noted(driver: Driver, write: QueueWrites): Promise<{ commands: Command[]; scripted: boolean }> {
  const lane = new NotingLane(driver)
  await Promise.all(write(lane))
  return { commands: lane.commands, scripted: lane.scripted }
}

/** Takes note of commands, and carries out none. A call on it is rejected only when it refuses to send something. */
class NotingLane implements Lane {
  readonly driver: Driver
  readonly isBlind = true
  readonly commands: Command[] = []
  scripted = false

  constructor(driver: Driver) {
    this.driver = driver
  }

  async send(command: Command): Promise<Reply> {
    this.commands.push(command)
    return null
  }

  async atomic(commands: readonly Command[]): Promise<Reply[]> {
    this.commands.push(...commands)
    return commands.map(() => null)
  }

  async collect(commands: readonly Command[]): Promise<void> {
    this.commands.push(...commands)
  }

  async script(script: { readonly name: string }, keys: readonly Wire[]): Promise<Reply> {
    this.scripted = true
    this.commands.push([script.name.toUpperCase(), ...keys])
    return null
  }
}

/** The key is as the page showed it: `seen`. */
export async function restsOnKey(driver: Driver, key: Wire, seen: string, shown: string): Promise<Expectation[]> {
  const { type, length } = await factsOf(driver, key)
  if (type === "none") throw changedMeanwhile(shown)
  const reads: Command[] = [["TYPE", key]]
  if (LENGTHS[type] !== undefined) reads.push([LENGTHS[type], key])
  if (type === "string") reads.push(["GETRANGE", key, "0", "65535"])
  else if (type === "hash" && !seen.startsWith("hash ")) reads.push(["HGETALL", key])
  const replies = await Promise.all(reads.map((read) => driver.send(read, SAFE_BYTES)))
  if (seenAs(type, length ?? 0, replies.at(-1)!, seen) !== seen) throw changedMeanwhile(shown)
  return reads.map((read, i) => expectation(read, replies[i]!))
}

function seenAs(type: string, length: number, value: Reply, seen: string): string {
  if (type === "hash" && !seen.startsWith("hash ")) return version((value as readonly Reply[]).map(String))
  if (type !== "string") return `${type} ${length}`
  return seenString(asWire(value), length)
}

/** The element that the page showed is still there, with the same value. */
export async function restsOnElement(
  driver: Driver,
  { declared }: KeyModel,
  key: string,
  { element, shown: shownAs }: ElementRef,
  shown: string,
): Promise<Expectation[]> {
  const place = declared.kind === "list" ? listPlace(element) : undefined
  const read: Command = place
    ? ["LINDEX", key, String(place.index)]
    : declared.kind === "map"
      ? ["HGET", key, element]
      : declared.kind === "set"
        ? ["SISMEMBER", key, element]
        : declared.kind === "stream"
          ? ["XRANGE", key, element, element]
          : ["ZSCORE", key, element]
  const reply = await driver.send(read, SAFE_BYTES)
  const isGone = reply === null || reply === 0 || (Array.isArray(reply) && reply.length === 0)
  const isOther = shownAs !== undefined && shownWith(reply) !== shownAs
  if (isGone || isOther || (place && !place.raw.equals(Buffer.from(asWire(reply))))) throw changedMeanwhile(shown)
  return [expectation(read, reply)]
}

const expectation = (read: Command, reply: Reply): Expectation => ({
  read: read.map((word) => wordOf(word)),
  is: expectedOf(read, reply, false),
})
