/* Families: keys that live and die together. They are written whole, read whole, and
 * have one deadline, so that a reader never takes a key that has expired alone for an
 * empty one (a ban that is forgotten three seconds before the channel is).
 *
 *   await db.channel({ channel }).$load(() => source.channel(channel))
 *   await db.channel({ channel }).$change(() => source.rename(channel, name)) */

import { requireFunction } from "../call/require-function.ts"
import { neverKeys } from "../call/slot-tag.ts"
import type { Wire } from "../../driver/driver.ts"
import { argumentRefused, familyRefused, familyUnknown, familyWithoutMarker } from "../../errors/client.ts"
import { WrongType } from "../../errors/outcome.ts"
import type { CodecFields, ReadFields, ReadOf, WriteFields, WriteOf } from "../../schema/codec/codec.ts"
import type { Def } from "../../schema/define.ts"
import type { Duration } from "../../schema/duration.ts"
import type { Group } from "../../schema/group.ts"
import { slotsOf } from "../../schema/locate.ts"
import { Deadline } from "../call/deadline.ts"
import type { Bound, ReadyKey } from "../call/ready-key.ts"
import { explainedAs } from "../call/explained.ts"
import { canLiveInFamily, encodeValue, FamilyKey, holdsBytes, readCommand, writeCommands } from "./family-values.ts"
import { drop, fill, fillKey, whileHeld, type FillTerms, type FillTarget } from "../cache/fill.ts"
import { asking, type CallNotes } from "../call/notes.ts"
import { familyFillScript, familyTouchScript } from "../lua/index.ts"
import type { Context } from "../make-client.ts"
import { observed, observedCache } from "../observe/observe.ts"
import { namingItsKey } from "../call/step-wrong-type.ts"

// ── for the compiler ─────────────────────────────────────────────────────────

/* oxlint-disable typescript/no-explicit-any -- parameters are of no interest here */
type Written<D> =
  D extends Def<"string" | "counter", any, any, { value: infer V }>
    ? WriteOf<V>
    : D extends Def<"hash", any, any, { fields: infer F extends CodecFields }>
      ? WriteFields<F>
      : D extends Def<"map", any, any, { field: infer F; value: infer V }>
        ? Iterable<readonly [WriteOf<F>, WriteOf<V>]>
        : D extends Def<"list", any, any, { item: infer I }>
          ? readonly WriteOf<I>[]
          : D extends Def<"set", any, any, { member: infer M }>
            ? readonly WriteOf<M>[]
            : D extends Def<"zset", any, any, { member: infer M; score: infer S }>
              ? Iterable<readonly [WriteOf<M>, WriteOf<S>]>
              : never

type ReadMember<D, IsMarker> =
  D extends Def<"string" | "counter", any, any, { value: infer V }>
    ? ReadOf<V> | (IsMarker extends true ? never : undefined)
    : D extends Def<"hash", any, any, { fields: infer F extends CodecFields }>
      ? ReadFields<F> | (IsMarker extends true ? never : undefined)
      : D extends Def<"map", any, any, { field: infer F; value: infer V }>
        ? Map<ReadOf<F>, ReadOf<V>>
        : D extends Def<"list", any, any, { item: infer I }>
          ? ReadOf<I>[]
          : D extends Def<"set", any, any, { member: infer M }>
            ? ReadOf<M>[]
            : D extends Def<"zset", any, any, { member: infer M; score: infer S }>
              ? [ReadOf<M>, ReadOf<S>][]
              : never
/* oxlint-enable typescript/no-explicit-any */

/**
 * What a family is filled with: members left out are empty.
 * @example
 * await db.profile({ id: "7" }).$fill({ name: "Ada", tags: ["admin"] })
 */
export type FamilyContent<G, M> = { readonly [N in keyof G & M]: Written<G[N]> } & {
  readonly [N in Exclude<keyof G, M>]?: Written<G[N]> | undefined
}

/**
 * A family as it was read: the marker is always there, sets and lists may be empty.
 * @example
 * const profile = await db.profile({ id: "7" }).$read()
 * if (profile) console.log(profile.name, [...profile.tags])
 */
export type FamilyValues<G, M> = { [N in keyof G]: ReadMember<G[N], N extends M ? true : false> }

/**
 * What a family has besides its entries: it is filled, read, touched, dropped and loaded as a whole.
 * @example
 * const profile = await db.profile({ id: "7" }).$load(async () => ({ name: "Ada", tags: ["admin"] }))
 * console.log(profile?.name)
 */
export interface FamilyMethods<G, M> {
  /** UNLINK, writes and PEXPIREAT in one script, O(elements): replaces the whole, with one new deadline. Ends loads under way. Where a key is refused, the family is dropped. */
  $fill(content: FamilyContent<G, M>): Promise<void>
  /** All keys in one MULTI, O(elements). Undefined when the family is not loaded. */
  $read(notes?: CallNotes): Promise<FamilyValues<G, M> | undefined>
  /** PEXPIREAT of all keys in one script, O(keys): false when the family is not loaded. */
  $touch(): Promise<boolean>
  /** UNLINK of all keys in one script, O(keys): true when something was there. What is being loaded now will not be stored. */
  $drop(): Promise<boolean>
  /**
   * As $read, and $fill after a load, O(elements): what is cached, or else what the loader returns. It is loaded once
   * in this process and once among all processes, stored, and returned to all who wait. If the loader returns
   * undefined, nothing is stored. Its result is not stored either if the family was
   * dropped, filled or changed since the load began.
   */
  $load(
    loader: () => Promise<FamilyContent<G, M> | undefined>,
    terms?: FillTerms,
  ): Promise<FamilyValues<G, M> | undefined>
  /**
   * As $drop, before and after, O(keys): changes the source. The family is not stored by anybody meanwhile, even if
   * this process dies in between. `hold` is the longest
   * that the change may take. Default: 30 s.
   */
  $change<T>(change: () => Promise<T> | T, hold?: Duration): Promise<T>
}

// ── for the machine ──────────────────────────────────────────────────────────

interface Member {
  readonly name: string
  readonly ready: ReadyKey
  readonly handle: FamilyKey
}

/** The methods of a family that is bound; for other groups, nothing. */
export function familyMethods(context: Context, group: Group<string, object>, path: string, bound: Bound): object {
  const first = Object.keys(group.entries)[0]
  if (group.group !== "family" || first === undefined) return {}
  let known: FamilyClient | undefined
  const family = () =>
    (known ??= new FamilyClient(context, path, context.ready.get(`${path}.${first}`)!.family!, bound))
  return {
    $fill: async (content: Bound) => family().fill(content),
    $read: async (notes?: CallNotes) => family().read(notes),
    $touch: async () => family().touch(),
    $drop: async () => family().drop(),
    $load: async (loader: () => Promise<Bound | undefined>, terms?: FillTerms) => family().load(loader, terms),
    $change: async (change: () => unknown, hold?: Duration) => whileHeld(family().place, change, hold),
  }
}

/** Checks that a family can be used as one; called once, on connect. */
export function checkFamilies(ready: ReadonlyMap<string, ReadyKey>): void {
  for (const { declared, family } of ready.values()) {
    if (!family) continue
    const why =
      refusal(declared.family!, declared.name, declared.kind, declared.entity !== undefined) ?? oddParam(family)
    if (why !== undefined) throw familyRefused(declared.family!, why)
  }
}

function refusal(
  family: string,
  name: string,
  kind: ReadyKey["declared"]["kind"],
  isEntity: boolean,
): string | undefined {
  if (isEntity) return `${name} belongs to an entity`
  if (name.slice(family.length + 1).includes(".")) return `${name} is in a group inside it`
  return canLiveInFamily(kind) ? undefined : `${name} is a ${kind}, which cannot be filled as a whole`
}

/** All members have the same parameters: those of the prefix. */
function oddParam(family: readonly ReadyKey[]): string | undefined {
  const shared = family.map(({ declared }) => slotsOf(declared.pattern)[1].map(({ name }) => name))
  const all = new Set(shared.flat())
  const at = shared.findIndex((names) => names.length < all.size)
  if (at < 0) return undefined
  const param = [...all].find((name) => !shared[at]!.includes(name))
  const with_ = family.find((_, i) => shared[i]!.includes(param!))!
  return `${with_.declared.name} has the parameter {${param}}, which ${family[at]!.declared.name} has not`
}

class FamilyClient {
  readonly place: FillTarget
  readonly #path: string
  readonly #members: readonly Member[]
  readonly #marker: number
  readonly #pattern: string
  readonly #ttlMs: number

  constructor({ laneOf }: Context, path: string, family: readonly ReadyKey[], bound: Bound) {
    this.#path = path
    const { declared, flights } = family[0]!
    const lane = laneOf(declared.db)
    this.#members = family.map((ready) => ({
      name: ready.declared.name.slice(path.length + 1),
      ready,
      handle: new FamilyKey(lane, ready, ready.build(bound)),
    }))
    this.#marker = family.findIndex((one) => one.declared.marker)
    this.#pattern = (family[this.#marker] ?? family[0]!).declared.pattern
    this.#ttlMs = (declared.ttl as { ms: number }).ms
    const keys = this.#members.map(({ handle }) => handle.key)
    const loaded = this.#marker < 0 ? keys : [keys[this.#marker]!]
    this.place = { lane, key: keys[0]!, keys, loaded, flights }
  }

  async fill(content: Bound): Promise<void> {
    this.place.flights.delete(this.place.key)
    await this.#store("", this.#encode(content))
    this.place.flights.delete(this.place.key)
  }

  async read(notes?: CallNotes): Promise<Bound | undefined> {
    const commands = this.#members.map(({ ready, handle }) => readCommand(ready.declared, handle.key))
    const bytes = this.#members.some(({ ready }) => holdsBytes(ready))
    const replies = await this.#observed("$read", () => this.place.lane.atomic(commands, asking(notes, bytes)))
    const values = this.#members.map(({ handle }, i) => handle.decoded(replies[i]!))
    const isLoaded = this.#marker < 0 ? values.some((value) => !isEmpty(value)) : !isEmpty(values[this.#marker])
    return isLoaded ? this.#named(values) : undefined
  }

  async touch(): Promise<boolean> {
    const { lane, keys } = this.place
    const args = [String(this.#ttlMs), String(this.#marker + 1)]
    const found = await this.#observed("$touch", () => lane.script(familyTouchScript, keys, args, { safe: true }))
    return found === 1
  }

  drop(): Promise<boolean> {
    return this.#observed("$drop", () => drop(this.place))
  }

  async load(loader: () => Promise<Bound | undefined>, terms?: FillTerms): Promise<Bound | undefined> {
    requireFunction("the loader", loader)
    const since = performance.now()
    const deadline = new Deadline(this.place.lane.driver, undefined)
    const found = await this.read(deadline.notes())
    observedCache(this.#pattern, found === undefined ? "miss" : "hit")
    if (found !== undefined) return found
    const loaded = await fill<Wire[][] | Bound>(
      this.place,
      {
        deadline,
        read: () => this.read(deadline.notes()),
        load: async () => {
          const content = await loader()
          return content === undefined ? undefined : this.#encode(content)
        },
        store: async (token, words) => (await this.#store(token, words as Wire[][], deadline.notes())) === 1,
        onLoaded: (stored) => {
          if (!stored) observedCache(this.#pattern, "not stored")
        },
      },
      since,
      terms,
    )
    if (!Array.isArray(loaded)) return loaded as Bound | undefined
    return this.#named(this.#members.map(({ handle }, i) => handle.decodedWords(loaded[i]!)))
  }

  /** The words of each member, in order. */
  #encode(content: Bound): Wire[][] {
    if (typeof content !== "object" || content === null)
      throw argumentRefused("the content of a family", "an object", content)
    for (const name in content) {
      if (!this.#members.some((member) => member.name === name)) throw familyUnknown(this.#path, name)
    }
    const words = this.#members.map(({ name, ready }) => encodeValue(ready, content[name]))
    const marker = this.#members[this.#marker]
    if (marker && words[this.#marker]!.length === 0) throw familyWithoutMarker(this.#path, marker.name)
    return words
  }

  #store(token: string, words: readonly Wire[][], notes?: CallNotes): Promise<unknown> {
    const { lane, key, keys } = this.place
    const commands = this.#members.flatMap(({ ready }, i) =>
      writeCommands(ready.declared, words[i]!).flatMap((command) => [
        String(i + 1),
        String(command.length),
        ...command,
      ]),
    )
    return this.#observed("$fill", () =>
      lane.script(
        familyFillScript,
        [fillKey(lane, key), ...keys, ...neverKeys(key, lane.driver.cluster)],
        [token, String(this.#ttlMs), ...commands],
        { ...notes, safe: true },
      ),
    )
  }

  #named(values: readonly unknown[]): Bound {
    return Object.fromEntries(this.#members.map(({ name }, i) => [name, values[i]]))
  }

  async #observed<T>(command: string, call: () => Promise<T>): Promise<T> {
    const done = observed(this.#pattern, [command])
    try {
      const result = await call()
      done?.()
      return result
    } catch (error) {
      done?.(error)
      throw await this.#explained(error)
    }
  }

  /** Names the key that has the wrong type; otherwise the family. */
  async #explained(error: unknown): Promise<unknown> {
    if (error instanceof WrongType) {
      const { lane, keys } = this.place
      const owners = this.#members.map(({ ready }) => ready)
      const named = await namingItsKey(error, lane.driver, keys, owners)
      if (named instanceof WrongType && named.key !== undefined) return named
    }
    return explainedAs(error, this.#pattern, this.#pattern)
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0) || (value instanceof Map && value.size === 0)
