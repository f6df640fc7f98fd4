/* Plans in a cluster: a script must not touch a key that it was not given. While a slot is
 * migrating, the server refuses such a script half-way. So what apply.lua would find out
 * by itself on a single server is guessed here, named in KEYS and compared:
 *
 *  - New ids follow the counter's last known value. Where that is no longer its value, or
 *    an id is taken, the plan is sent again. Plans of one process take turns at a counter,
 *    so that they do not compete: unless another process creates records at the same time,
 *    an id takes one round trip.
 *  - A unique value that somebody holds may be a leftover: the plan is sent again with the
 *    holder's record in it, which must not exist. */

import type { Driver, Reply } from "../../driver/driver.ts"
import { idIn } from "../../schema/codec/quoted.ts"
import { counterUnusable } from "../../errors/record.ts"
import { readChanged } from "../../errors/transaction.ts"
import { Deadline } from "../call/deadline.ts"
import type { Lane } from "../call/lane.ts"
import { turnsOf } from "../call/turns.ts"
import { type Applied, type SendPlanOptions, sendPlan } from "./send-plan.ts"
import type { Check } from "./checks/check.ts"
import type { UniqueFree } from "./checks/unique-free.ts"
import { counterFault } from "./counter-fault.ts"
import { HIGHEST_COUNTER } from "./highest-counter.ts"
import { withIds } from "./placeholder.ts"
import { type IdGroup, Plan } from "./plan.ts"

const WHAT = "the write"

export const needsNamedKeys = ({ ids, checks }: Plan): boolean =>
  ids !== undefined || checks.some(({ check }) => check === "unique-free")

/** What is known so far; it grows with every refusal. */
interface KnownSoFar {
  /** What counters hold; undefined: nothing. */
  readonly counters: Map<string, string | undefined>
  /** Records that already have an id which was about to be allocated. */
  readonly existing: Set<string>
  /** Who holds a unique value, by its key. */
  readonly holders: Map<string, string>
}

/** A plan in which all keys are named. `lessons`: what is learnt when a check that was guessed fails. */
interface NamedPlan {
  readonly plan: Plan
  readonly ids: ReadonlyMap<string, string>
  readonly counters: ReadonlyMap<string, string>
  readonly lessons: Map<Check, (found: Reply) => Promise<void> | void>
}

export async function carryOutInCluster(plan: Plan, lane: Lane, options?: SendPlanOptions): Promise<Applied> {
  const deadline = new Deadline(lane.driver, options)
  const turns = turnsOf(lane.driver)
  const known: KnownSoFar = { counters: countersOf(lane.driver), existing: new Set(), holders: new Map() }
  const held: string[] = []
  try {
    for (const counter of [...new Set(plan.ids?.map((group) => group.counter))].sort())
      if ((await turns.enter(counter, deadline, () => WHAT)) ?? true) held.push(counter)
    for (;;) {
      const named = nameKeys(plan, known, lane, deadline)
      const outcome = await sendPlan(named.plan, lane, { ...options, ...deadline.notes() }, named.ids)
      if (!("error" in outcome)) {
        if (outcome.replayed === undefined)
          for (const [counter, text] of named.counters) known.counters.set(counter, text)
        return outcome
      }
      const lesson = outcome.check && named.lessons.get(outcome.check)
      if (lesson === undefined) throw outcome.error
      await lesson(outcome.found)
      deadline.check(WHAT)
    }
  } finally {
    for (const counter of held) turns.leave(counter)
  }
}

function nameKeys(plan: Plan, known: KnownSoFar, lane: Lane, deadline: Deadline): NamedPlan {
  const lessons: NamedPlan["lessons"] = new Map()
  const counters = new Map<string, string>()
  const guessed: Check[] = []
  const guess = (check: Check, lesson: (found: Reply) => Promise<void> | void): void => {
    guessed.push(check)
    lessons.set(check, lesson)
  }
  const ids = new Map<string, string>()
  const absent = new Set(plan.checks.flatMap(({ check, key }) => (check === "absent" ? [key] : [])))
  for (const group of plan.ids ?? []) {
    const { counter, record, placeholders } = group
    if (!counters.has(counter)) {
      guess(counterIs(counter, known.counters.get(counter)), (found) =>
        learnCounter(group, found, known, lane, deadline),
      )
      counters.set(counter, known.counters.get(counter) ?? "0")
    }
    let number = Number(counters.get(counter))
    for (const placeholder of placeholders) {
      const keyOf = () => record.head + String(number) + record.tail
      do number++
      while (absent.has(keyOf()) || known.existing.has(keyOf()))
      const key = keyOf()
      ids.set(placeholder, String(number))
      guess({ check: "absent", key, onFailure: () => readChanged(key, key) }, () => void known.existing.add(key))
    }
    counters.set(counter, String(number))
  }
  const named = new Plan()
  for (const check of withIds(plan.checks, ids)) {
    if (check.check === "unique-free") nameHolder(check, known, guess)
    else named.checks.push(check)
  }
  named.checks.push(...guessed)
  named.writes.push(...withIds(plan.writes, ids))
  for (const [counter, text] of counters)
    named.write("INCRBY", counter, String(Number(text) - Number(known.counters.get(counter) ?? "0")))
  const { replicas, purpose, identity, remembers } = plan
  Object.assign(named, { replicas, purpose, identity, remembers, answer: withIds(plan.answer, ids) })
  return { plan: named, ids, counters, lessons }
}

const counterIs = (key: string, value: string | undefined): Check => {
  const onFailure = () => readChanged(key, key)
  return value === undefined ? { check: "absent", key, onFailure } : { check: "string", key, value, onFailure }
}

async function learnCounter(group: IdGroup, found: Reply, { counters }: KnownSoFar, lane: Lane, deadline: Deadline) {
  const { counter, shown } = group
  let text: Reply = found
  // A key that should not exist: its content was not returned.
  if (typeof text !== "string")
    try {
      text = await lane.send(["GET", counter], { ...deadline.notes(), safe: true })
    } catch (error) {
      throw await counterFault(error, lane.driver, [group], deadline.notes() ?? {})
    }
  const isUsable = text === null || (/^(0|-?[1-9]\d*)$/.test(String(text)) && Number(text) <= HIGHEST_COUNTER)
  if (!isUsable) throw counterUnusable(shown, undefined)
  counters.set(counter, text === null ? undefined : String(text))
}

/** The known holder must still hold it, and its record must not exist. */
function nameHolder(
  check: UniqueFree,
  { holders }: KnownSoFar,
  guess: (check: Check, lesson: (found: Reply) => void) => void,
): void {
  const { key, id, record, isQuoted, onFailure } = check
  const learn = (found: Reply) => {
    if (typeof found === "string") holders.set(key, found)
    else holders.delete(key)
  }
  const value = holders.get(key)
  const holder = value !== undefined && isQuoted ? idIn(value) : value
  if (value === undefined || holder === undefined || holder === id)
    return guess({ check: "unique-unheld", key, id, isQuoted, onFailure }, learn)
  guess({ check: "string", key, value, onFailure }, learn)
  // A demand, not a read: if something that was read has changed, whether the value is free does not matter.
  const gone: Check = {
    check: "type",
    key: record.head + holder + record.tail,
    type: "none",
    onFailure: () => onFailure(holder),
  }
  guess(gone, () => {
    throw onFailure(holder)
  })
}

const byDriver = new WeakMap<Driver, KnownSoFar["counters"]>()
const MOST_COUNTERS = 1000

/** What counters held when this process last took ids from them. */
function countersOf(driver: Driver): KnownSoFar["counters"] {
  let counters = byDriver.get(driver)
  if (!counters || counters.size > MOST_COUNTERS) byDriver.set(driver, (counters = new Map()))
  return counters
}
