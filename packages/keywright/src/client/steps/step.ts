/* Steps, ready to be called: parameters → keys, arguments → words, reply → result.
 * See schema/step.ts for what a script is given. */

import { spread } from "../call/spread.ts"
import { withBound } from "../call/with-bound.ts"
import type { CallOptions, Reply, Wire } from "../../driver/driver.ts"
import { stepMissing, stepRefused, stepUnknown } from "../../errors/step.ts"
import type { Def } from "../../schema/define.ts"
import type { Entity } from "../../schema/entity.ts"
import type { Group } from "../../schema/group.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { stepKey, type ArgumentOf, type Argument, type Result, type ResultOf, type Step } from "../../schema/step.ts"
import type { Merge, Params } from "../client.ts"
import { redactKey, type ReadyKey } from "../call/ready-key.ts"
import type { OnceNotes } from "../call/notes.ts"
import { replicasOf, writeAndWait } from "../call/write-and-wait.ts"
import type { Lane } from "../call/lane.ts"
import { observed } from "../observe/observe.ts"
import { operationKey, rememberedMs } from "../plan/operation-key.ts"
import { OneShard } from "./one-shard.ts"
import { readResult, wantsBytes } from "./step-result.ts"
import { stepScriptOf } from "./step-script.ts"
import { requireOneTag } from "../call/slot-tag.ts"
import { namingItsKey } from "../call/step-wrong-type.ts"
import { Refused, WrongType } from "../../errors/outcome.ts"

// ── for the compiler ─────────────────────────────────────────────────────────

/** The parameters of the key at a path. */
type ParamsAt<E, Path extends string, Q, P extends string = ""> = Path extends `${infer G}.${infer Rest}`
  ? G extends keyof E
    ? E[G] extends Group<infer T, infer Inner, infer Own>
      ? ParamsAt<Inner, Rest, Merge<Q, Own>, `${P}${T}`>
      : never
    : never
  : Path extends keyof E
    ? E[Path] extends Def<infer _K, infer T, infer Own, infer _S>
      ? Params<`${P}${T}`, Merge<Q, Own>>
      : E[Path] extends Entity<infer T, infer _R, infer _W, infer _U, infer _I>
        ? Params<`${P}${T}`, Q>
        : never
    : never

type Both<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void ? All : never
type Last<Path extends string> = Path extends `${string}.${infer Rest}` ? Last<Rest> : Path
type Single<K extends string> = K extends `${string}[]` ? never : K
type Many<K extends string> = K extends `${infer Path}[]` ? Path : never

/** The parameters of all declared keys that are a single key each. */
type SharedParams<E, Q, K extends string> = [Single<K>] extends [never]
  ? {}
  : Both<Single<K> extends infer Path extends string ? (Path extends string ? ParamsAt<E, Path, Q> : never) : never>

type StepInput<E, Q, K extends string, A> = SharedParams<E, Q, K> & { readonly [N in keyof A]: ArgumentOf<A[N]> } & {
  readonly [Path in Many<K> as Last<Path>]: readonly Omit<ParamsAt<E, Path, Q>, keyof SharedParams<E, Q, K>>[]
}

type StepCall<I, R> = {} extends I
  ? (input?: I, notes?: OnceNotes) => Promise<R>
  : (input: { [N in keyof I]: I[N] }, notes?: OnceNotes) => Promise<R>

/** `db.$steps`: a function for each step. With `once`, notes take an operation id. */
export type StepCalls<E, Q, S> = {
  readonly [N in keyof S]: S[N] extends Step<infer K, infer A, infer R>
    ? StepCall<StepInput<E, Q, K, A>, ResultOf<R>>
    : never
}

// ── for the machine ──────────────────────────────────────────────────────────

type Input_ = Readonly<Record<string, unknown>>
type ReadyStep = (laneOf: (db: number) => Lane, input?: Input_, notes?: OnceNotes) => Promise<unknown>

/** Reads the scripts, once for a connection. */
export function readySteps(keyspace: Keyspace, ready: ReadonlyMap<string, ReadyKey>): Map<string, ReadyStep> {
  const steps = Object.entries(keyspace.steps as Record<string, Step>)
  return new Map(steps.map(([name, step]) => [name, readyStep(name, step, ready)]))
}

export const stepCalls = (steps: ReadonlyMap<string, ReadyStep>, laneOf: (db: number) => Lane): object =>
  Object.fromEntries(
    [...steps].map(([name, call]) => [name, (input?: Input_, notes?: OnceNotes) => call(laneOf, input, notes)]),
  )

interface StepKey {
  readonly ready: ReadyKey
  readonly params: readonly string[]
  /** The key itself, where it has no parameters. */
  readonly fixed: string | undefined
  /** The name under which a call hands over its arrays. */
  readonly many: string | undefined
}

const NO_NOTES: OnceNotes = Object.freeze({})
const EVALSHA = Object.freeze(["EVALSHA"])

/** Those parameters that are given. */
function pick(params: readonly string[], from: Input_): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const param of params) if (from[param] !== undefined) picked[param] = from[param]
  return picked
}

function readyStep(name: string, step: Step, ready: ReadonlyMap<string, ReadyKey>): ReadyStep {
  const script = stepScriptOf(name, step)
  const args = Object.entries(step.args as Record<string, Argument>)
  const returns = step.returns as Result
  const bytes = wantsBytes(returns)
  const replicas = replicasOf(step.durability)
  const places = step.keys.map((given): StepKey => {
    const { path, many } = stepKey(given)
    const found = ready.get(path)!
    const params = Object.keys(found.declared.params)
    return {
      ready: found,
      params,
      fixed: params.length === 0 && many === undefined ? found.build({}) : undefined,
      many,
    }
  })
  const single = places.filter(({ many }) => many === undefined)
  const own = single.flatMap(({ params }) => params)
  const known = new Set([
    ...own,
    ...places.flatMap(({ many }) => many ?? []),
    ...places.flatMap(({ ready }) => ready.declared.sharded?.by ?? []),
    ...args.map(([arg]) => arg),
  ])
  const isSpread = OneShard.isNeededFor(places)
  const db = places[0]?.ready.declared.db ?? 0
  const pattern = `$steps.${name}`

  const addKeys = ({ ready, params, fixed, many }: StepKey, input: Input_, keys: string[]): void => {
    if (fixed !== undefined) keys.push(fixed)
    else if (many === undefined) keys.push(ready.build(input, true))
    else {
      if (!Array.isArray(input[many])) throw stepMissing(name, many)
      // Parameters of the step's own keys apply to all keys; one that only selects the shard may differ within that shard.
      const shared = pick(params, input)
      const bound = pick(
        own.filter((param) => params.includes(param)),
        input,
      )
      for (const one of input[many] as Input_[]) {
        if (typeof one !== "object" || one === null) throw stepMissing(name, many)
        keys.push(ready.build(withBound(bound, spread(shared, one), ready.declared.pattern)))
      }
    }
  }
  const addWords = (arg: string, codec: Argument, input: Input_, words: Wire[]): void => {
    const value = input[arg]
    if (value === undefined) throw stepMissing(name, arg)
    if (!("shape" in codec)) words.push(codec.encode(value))
    else {
      if (!Array.isArray(value)) throw stepMissing(name, arg)
      words.push(String(value.length))
      for (const item of value as readonly unknown[]) words.push(codec.of.encode(item))
    }
  }

  /** For each key, in order. */
  const ownersOf = (input: Input_): ReadyKey[] =>
    places.flatMap(({ ready, many }) => (many === undefined ? ready : (input[many] as Input_[]).map(() => ready)))

  const usual = Object.freeze({ bytes, ...((step.once || step.fenced) && { safe: true }) })
  const optionsOf = (notes: OnceNotes) => {
    if (notes === NO_NOTES) return usual
    const { operationId: _id, rememberFor: _for, safe: _safe, ...options } = notes as OnceNotes & CallOptions
    return spread(options, usual)
  }

  const call = async (lane: Lane, input: Input_, notes: OnceNotes): Promise<unknown> => {
    for (const given in input) if (!known.has(given)) throw stepUnknown(name, given, [...known])
    const keys: string[] = []
    const words: Wire[] = []
    const shard = isSpread ? new OneShard() : undefined
    for (const place of places) {
      const before = keys.length
      addKeys(place, input, keys)
      shard?.check(place, input, keys.slice(before))
      if (place.many !== undefined) words.push(String(keys.length - before))
    }
    if (lane.driver.cluster) requireOneTag(`the step ${name}`, keys, (i) => redactKey(ownersOf(input)[i]!, keys[i]!))
    for (const [arg, codec] of args) addWords(arg, codec, input, words)
    if (step.once) {
      keys.push(operationKey(notes.operationId, name, keys, lane.driver.cluster))
      words.push(String(rememberedMs(lane, notes)))
    }
    const done = observed(pattern, EVALSHA)
    let reply: Reply
    try {
      reply = await writeAndWait(`the step ${name}`, replicas, lane, script, keys, words, optionsOf(notes))
    } catch (error) {
      done?.(error)
      if (error instanceof WrongType) throw await namingItsKey(error, lane.driver, keys, ownersOf(input))
      throw isRefusalOfScript(error) ? stepRefused(name, error) : error
    }
    done?.()
    return readResult(name, returns, reply)
  }

  return (laneOf, input, notes) => {
    const lane = laneOf(db)
    const called = call(lane, input ?? {}, notes ?? NO_NOTES)
    lane.adopt?.(called)
    return called
  }
}

/** An error that the script itself returned: its code is not one of the server's. */
const isRefusalOfScript = (error: unknown): error is Refused =>
  error instanceof Refused && !/^(SERVER|DRIVER)\./.test(error.code)
