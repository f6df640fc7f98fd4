/* Whether everything that is stored fits together (RST-35), and setting it right (RST-36).
 * Indexes, lists, counters, references, types and TTLs are the toolkit's; what only the
 * restaurant knows are its audit-rules.ts. */

import { classifier } from "keywright"
import {
  applyRepair,
  audit,
  planRepair,
  type ChangePlan,
  type ChangeReport,
  type Deletion,
  type Finding,
  type UnreadableKeys,
} from "keywright/operate"
import { integrityRules, lostRefs, missingRef, staleRef } from "../audit-rules.ts"
import type { Area } from "../area.ts"
import type { Order, RestaurantContext } from "../context.ts"
import { isRef, isRefOf, orderIdsIn } from "./payment-refs.ts"
import { unpairedCarts, type ShownFinding } from "./unpaired.ts"

export interface IntegrityReport {
  readonly keys: number
  readonly findings: readonly ShownFinding[]
  /** What the server refused to read, if anything: nothing is known of these keys, or not everything. */
  readonly unreadable?: readonly UnreadableKeys[]
}

export interface WantedRef {
  readonly paymentRef: string
  readonly orderId: string | null
}

export interface Repaired {
  readonly plan: ChangePlan
  /** References of payments, which are derived from orders by a rule of ours. */
  readonly paymentRefs: readonly WantedRef[]
  /** What the server refused to read, if anything: the plan does not have it. */
  readonly unreadable?: readonly UnreadableKeys[]
  /** `rebuilt`: entries of indexes and lists that were in the place of something of another type. */
  readonly applied?: ChangeReport & { readonly paymentRefs: number; readonly rebuilt: number }
}

/** The last check, for /health (RST-40). */
export interface LastCheck {
  readonly at: string
  readonly keys: number
  readonly findings: number
  /** Keys that could not be checked, if any. */
  readonly unreadable?: number
}

export function integrity({ db, clock, redis }: RestaurantContext, { match }: Area) {
  let last: LastCheck | undefined

  const lost = (order: Order) => lostRefs(order, (paymentRef) => db.paymentRef({ paymentRef }).get())
  /** Found by a rule of ours, and set right by ours. */
  const isRefRule = ({ code }: Finding) => code === missingRef.code || code === staleRef.code

  const look = async (signal?: AbortSignal) => {
    // A walk waits long for a server that pauses; one that cannot serve at all is found out at once.
    await redis.ping()
    const { keys, findings, unreadable } = await audit(db.$keyspace, db.$driver(), {
      rules: integrityRules,
      ...(match !== undefined && { match }),
      ...(signal && { signal }),
    })
    return { keys, findings: findings.filter((one) => !isToldBetter(one, findings)), unreadable }
  }

  const check = async (signal?: AbortSignal): Promise<IntegrityReport> => {
    const { keys, findings, unreadable } = await look(signal)
    const shown = findings.map((one) => (isRefRule(one) ? { ...one, fixable: true } : one))
    const all = [...shown, ...(await unpairedCarts(db, findings))]
    const unread = unreadable.reduce((sum, one) => sum + one.keys, 0)
    last = {
      at: clock.now().toISOString(),
      keys,
      findings: all.length,
      ...(unread > 0 && { unreadable: unread }),
    }
    return { keys, findings: all, ...(unread > 0 && { unreadable }) }
  }

  const { owner } = classifier(db.$keyspace.keys)

  /** The order that a reference is of, as far as the reference shows. */
  const orderOf = async (ref: string): Promise<Order | undefined> =>
    (await db.order.getMany(orderIdsIn(ref))).find((order) => order !== undefined && isRefOf(order, ref))

  /** Which reference should lead to which order; null: to none. */
  const wantedRefs = async (findings: readonly Finding[]): Promise<WantedRef[]> => {
    const paramsOf = ({ target }: Finding) => owner(String(target.key))?.params ?? {}
    const wanted = new Map<string, string | null>()
    for (const finding of findings) {
      const { paymentRef: ref } = paramsOf(finding)
      if (ref === undefined) continue
      const order = await orderOf(ref)
      if (order !== undefined || finding.code === staleRef.code) wanted.set(ref, order?.id ?? null)
    }
    const orderIds = findings.filter(({ code }) => code === missingRef.code).map((one) => paramsOf(one)["id"]!)
    for (const order of await db.order.getMany(orderIds))
      for (const ref of order ? await lost(order) : []) if (isRef(ref)) wanted.set(ref, order!.id)
    return [...wanted].map(([paymentRef, orderId]) => ({ paymentRef, orderId }))
  }

  /** Decided on what is stored then: what was fixed meanwhile is kept. */
  const setRef = ({ paymentRef, orderId }: WantedRef): Promise<boolean> =>
    db.$transaction(async (db) => {
      const holder = await db.paymentRef({ paymentRef }).get()
      const ids = [holder, orderId].filter((id) => typeof id === "string")
      const orders = await db.order.getMany([...new Set(ids)])
      const rightful = orders.find((order) => order && isRefOf(order, paymentRef))
      if (rightful?.id === holder) return false
      if (rightful === undefined) await db.$blind.paymentRef({ paymentRef }).delete()
      else await db.paymentRef({ paymentRef }).set(rightful.id)
      return true
    })

  /** Whatever occupied the key of an index or a list is gone: now its entries are missing. */
  const rebuild = async (): Promise<number> => {
    const driver = db.$driver()
    return (await applyRepair(await planRepair((await look()).findings, db.$keyspace, driver), driver)).done
  }

  return {
    check,
    last: () => last,

    /** A plan first; carried out only on request, comparing each entry with what was found. */
    async repair({
      apply,
      deletions,
    }: {
      readonly apply: boolean
      readonly deletions: readonly Deletion[]
    }): Promise<Repaired> {
      const { findings, unreadable } = await look()
      const driver = db.$driver()
      const plan = await planRepair(findings, db.$keyspace, driver, { delete: deletions })
      const paymentRefs = await wantedRefs(findings)
      const unread = unreadable.length > 0 && { unreadable }
      if (!apply) return { plan, paymentRefs, ...unread }
      const report = await applyRepair(plan, driver)
      let set = 0
      for (const ref of paymentRefs) if (await setRef(ref)) set += 1
      const rebuilt = report.byCode["KEY.TYPE"] === undefined ? 0 : await rebuild()
      return { plan, paymentRefs, ...unread, applied: { ...report, paymentRefs: set, rebuilt } }
    },
  }
}

/** An index that holds no id at all is one finding: the one that says whose id it should hold. */
const isToldBetter = ({ code, key, place }: Finding, all: readonly Finding[]): boolean =>
  code === "VALUE.UNDECODABLE" &&
  place === undefined &&
  all.some((other) => other.key === key && /^(UNIQUE|MIRROR)\./.test(other.code))

export type Integrity = ReturnType<typeof integrity>
