/* Reports what a client sends, as it is sent: for programs that show people what a call does
 * to Redis. Secrets are hidden here, by the schema, and nowhere later; what no pattern owns
 * is hidden too. The report is made in the async context of the call, so that
 * AsyncLocalStorage can identify the caller. Without `onSent` nothing of this exists; where it is asked
 * first (`isWanted`), nothing is made for a call that nobody wants to hear of. */

import type { CallOptions, Command, Driver, ReplyReader, Script, Wire } from "../../driver/driver.ts"
import { firstKey } from "../../driver/first-key.ts"
import { wrapDriver } from "../../driver/wrap-driver.ts"
import { classifier } from "../../schema/classify/classify.ts"
import { codecsIn } from "../../schema/codecs-in.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { mayHold } from "../../schema/hidden-secrets.ts"
import { HIDDEN, secretFields } from "../../schema/secret-params.ts"
import { type Argument, type Step, stepKey } from "../../schema/step.ts"
import { redactKey, type ReadyKey } from "./ready-key.ts"
import { applyScript, saveHashScript, saveScript } from "../lua/index.ts"
import type { Plan } from "../plan/plan.ts"

/**
 * A key as it may be shown, and the name of its pattern in the schema.
 * @example
 * const show = ({ key, name }: SentKey) => `${name ?? "?"} ${key}`
 */
export interface SentKey {
  readonly key: string
  /** Undefined where no pattern owns it. */
  readonly name?: string
}

/**
 * One command of a round trip, with its secrets hidden.
 * @example
 * const show = ({ words }: SentCommand) => words.join(" ") // HSET cart:… item1 2
 */
export interface SentCommand {
  /** `["HSET", "cart:…", "item1", "2"]`: secrets hidden, long words cut. */
  readonly words: readonly string[]
  readonly keys: readonly SentKey[]
}

/**
 * One round trip, as `onSent` is called with it.
 * @example
 * const log = (sent: Sent) => console.log(sent.as, sent.commands.map(({ words }) => words.join(" ")))
 * const db = await connect(shop, "memory:", { onSent: log })
 */
export interface Sent {
  readonly db: number
  /**
   * `"record"`: the writes of the script that saves records and transactions, made only if nothing it read has
   * changed.
   */
  readonly as: "command" | "batch" | "multi" | "script" | "record"
  readonly commands: readonly SentCommand[]
  /** For a script: its name, and for a step of the schema also its arguments by name. */
  readonly script?: {
    readonly name: string
    readonly keys: readonly SentKey[]
    readonly args?: Readonly<Record<string, string>>
  }
}

/**
 * What is called with each round trip, or only with those that it wants.
 * @example
 * const report = (sent: Sent) => console.log(sent.as, sent.commands.map(({ words }) => words.join(" ")))
 * const onSent: OnSent = { isWanted: () => process.env["SHOW_COMMANDS"] === "1", report }
 */
export type OnSent =
  | ((sent: Sent) => void)
  | {
      /** Asked before each round trip, in its async context. */
      isWanted(): boolean
      report(sent: Sent): void
    }

export interface Teller {
  /** The same driver; what goes through it is reported. */
  wrap(driver: Driver): Driver
  /** What a plan is about to write. */
  plan(db: number, plan: Plan): void
}

const planScripts: ReadonlySet<Script> = new Set([applyScript, saveScript, saveHashScript])
const LONGEST_WORD = 120
const MOST_WORDS = 16
/** Commands all of whose arguments are keys. */
const ALL_KEYS = new Set(
  "DEL EXISTS MGET PFCOUNT PFMERGE RENAME RENAMENX SDIFF SDIFFSTORE SINTER SINTERSTORE SUNION SUNIONSTORE TOUCH UNLINK".split(
    " ",
  ),
)

/** Commands that take nothing but names of fields behind their key. */
const ALL_FIELDS = new Set("HDEL HEXISTS HGET HMGET HSTRLEN".split(" "))

/** A name that the schema declares is nobody's secret, even where the value of such a field is. */
const isFieldName = (command: string, owner: ReadyKey | undefined, word: Wire): boolean =>
  ALL_FIELDS.has(command) &&
  owner?.declared.kind === "hash" &&
  Object.hasOwn((owner.declared.shape as { readonly fields?: object }).fields ?? {}, String(word))

/** Commands whose first two arguments are keys. */
const TWO_KEYS = new Set("BLMOVE BRPOPLPUSH COPY LMOVE RPOPLPUSH SMOVE".split(" "))

export function tellerOf(keyspace: Keyspace, ready: ReadonlyMap<string, ReadyKey>, onSent: OnSent): Teller {
  const show = shower(keyspace, ready)
  const steps = keyspace.steps as Readonly<Record<string, Step>>

  const listener = typeof onSent === "function" ? { isWanted: () => true, report: onSent } : onSent

  const report = (db: number, as: Sent["as"], commands: readonly Command[]): void =>
    listener.report({ db, as, commands: commands.map((command) => show.command(db, command)) })

  const script = (db: number, { name }: Script, keys: readonly Wire[], args: readonly Wire[]): void => {
    const step = steps[name]
    listener.report({
      db,
      as: "script",
      commands: [],
      script: {
        name,
        keys: keys.map((key) => show.key(db, key)),
        ...(step && { args: argumentsOf(step, args, (word) => show.word(db, word)) }),
      },
    })
  }

  /** One wrapper per driver: callers that ask twice compare them by identity. */
  const wrapped = new WeakMap<Driver, Driver>()
  const wrap = (driver: Driver): Driver => {
    let one = wrapped.get(driver)
    if (one === undefined) wrapped.set(driver, (one = wrapping(driver)))
    return one
  }
  const wrapping = (driver: Driver): Driver => {
    const { db } = driver
    return wrapDriver(driver, wrap, {
      send(command, options) {
        if (listener.isWanted()) report(db, "command", [command])
        return driver.send(command, options)
      },
      ...(driver.ask !== undefined && {
        ask: <T>(command: Command, reader: ReplyReader<T>, options?: CallOptions) => {
          if (listener.isWanted()) report(db, "command", [command])
          return driver.ask!(command, reader, options)
        },
      }),
      batch(commands, options) {
        if (commands.length > 0 && listener.isWanted()) report(db, "batch", commands)
        return driver.batch(commands, options)
      },
      multi(commands, options) {
        if (commands.length > 0 && listener.isWanted()) report(db, "multi", commands)
        return driver.multi(commands, options)
      },
      run(sent, keys, args, options) {
        // A plan has already reported itself.
        if (listener.isWanted() && !planScripts.has(sent)) script(db, sent, keys, args)
        return driver.run(sent, keys, args, options)
      },
      dedicated: () => driver.dedicated(),
    })
  }
  const plan = (db: number, made: Plan): void => {
    if (listener.isWanted() && (made.writes.length > 0 || made.ids !== undefined)) report(db, "record", made.commands)
  }
  return { wrap, plan }
}

/** Makes the function that says a key as it may be shown: in errors where no handle is at hand. */
export function keyTextOf(
  keyspace: Keyspace,
  ready: ReadonlyMap<string, ReadyKey>,
): (db: number, key: string) => string {
  const show = shower(keyspace, ready)
  return (db, key) => show.key(db, key).key
}

/** Keys and commands as they may be shown. */
function shower(keyspace: Keyspace, ready: ReadonlyMap<string, ReadyKey>) {
  const finders = new Map<number, ReturnType<typeof classifier>>()
  const ownerOf = (db: number, key: Wire): ReadyKey | undefined => {
    if (typeof key !== "string") return undefined
    // A keyspace without database groups counts as database 0, wherever it is connected.
    const own = keyspace.keys.some((row) => row.db !== 0) ? db : 0
    let finder = finders.get(own)
    if (finder === undefined) finders.set(own, (finder = classifier(keyspace.keys, { db: own })))
    const found = finder.owner(withoutIds(key))
    return found && ready.get(found.key.name)
  }
  const hidesValues = new Map<ReadyKey, boolean>()
  const isHidden = (owner: ReadyKey): boolean => {
    let hidden = hidesValues.get(owner)
    if (hidden === undefined) {
      // An entity's lists and indexes hold ids; only its record holds fields.
      const { declared } = owner
      const codecs = codecsIn(declared.shape)
      const hasFields = declared.entity === undefined || declared.entity.role === "record"
      const fields = hasFields ? secretFields(declared, keyspace.keys) : []
      hidden = fields === true || fields.length > 0 || codecs.some(({ secret }) => secret === true)
      // A document may repeat a secret part of its key.
      hidden ||= owner.secrets.size > 0 && codecs.some(({ spec }) => mayHold(spec, [...owner.secrets]))
      hidesValues.set(owner, hidden)
    }
    return hidden
  }
  const key = (db: number, of: Wire): SentKey => {
    const owner = ownerOf(db, of)
    if (owner === undefined) return { key: HIDDEN }
    return { key: redactKey(owner, withoutIds(of as string)), name: owner.declared.name }
  }

  /** A word may be a key, too, where a command takes several. */
  const word = (db: number, word: Wire): string => {
    const owner = ownerOf(db, word)
    return cut(owner === undefined ? word : redactKey(owner, withoutIds(word as string)))
  }

  const command = (db: number, [name, ...rest]: Command): SentCommand => {
    const first = firstKey([name!, ...rest])
    const words = [String(name)]
    const upper = words[0]!.toUpperCase()
    if (first === undefined) return { words: [...words, ...rest.map(withoutKey(upper, rest))], keys: [] }
    if (/^(EVAL|FCALL)/.test(upper)) return evaluated(db, words[0]!, rest)
    const at = rest.indexOf(first)
    const keys: SentKey[] = []
    const isPair = TWO_KEYS.has(upper)
    const isKey = (i: number) =>
      i === at || ALL_KEYS.has(upper) || (upper.startsWith("MSET") && i % 2 === 0) || (isPair && i === at + 1)
    const owner = ownerOf(db, first)
    let isOpen = true
    for (const [i, given] of rest.entries()) {
      if (words.length > MOST_WORDS) {
        words.push(`(${rest.length - i} more)`)
        break
      }
      if (isKey(i)) {
        const owner = ownerOf(db, given)
        // What is moved is as secret as the place it comes from.
        isOpen = owner !== undefined && !isHidden(owner) && (isOpen || !isPair)
        keys.push(key(db, given))
        words.push(keys.at(-1)!.key)
      } else words.push(isOpen || isFieldName(upper, owner, given) ? word(db, given) : HIDDEN)
    }
    return { words, keys }
  }
  /** A script inside a batch: its arguments cannot be distinguished there. */
  const evaluated = (db: number, name: string, [, count, ...rest]: readonly Wire[]): SentCommand => {
    const keys = rest.slice(0, Number(count)).map((one) => key(db, one))
    return { words: [name, "(script)", String(count), ...keys.map((one) => one.key), HIDDEN], keys }
  }
  /** For commands without a key: shows only words that cannot be anybody's data. */
  const withoutKey = (upper: string, rest: readonly Wire[]) => (given: Wire, i: number) =>
    upper === "INFO" || (upper === "SCAN" && (!/^match$/i.test(String(rest[i - 1])) || isOpenGlob(given)))
      ? cut(given)
      : HIDDEN

  /** Keys of some pattern are looked for, and by no part that is secret in any. */
  const isOpenGlob = (glob: Wire): boolean => {
    const text = String(glob).replaceAll(/\\(.)|\*/gs, (_, literal?: string) => literal ?? ANY)
    const found = [...ready.values()].flatMap(({ format, secrets }) => {
      const texts = format.locate(text)
      return texts === undefined ? [] : [[...secrets].every((name) => texts[name] === ANY)]
    })
    return found.length > 0 && found.every(Boolean)
  }
  return { key, word, command }
}

/** Stands for what a glob leaves open. */
const ANY = "\ue000"

/** The arguments of a step by name, in the order in which step.ts sends them. */
function argumentsOf(step: Step, words: readonly Wire[], show: (word: Wire) => string): Record<string, string> {
  const shown: Record<string, string> = {}
  let at = step.keys.filter((given) => stepKey(given).many !== undefined).length
  for (const [name, codec] of Object.entries(step.args as Record<string, Argument>)) {
    const isMany = "shape" in codec
    const count = isMany ? Number(words[at++]) : 1
    const isSecret = (isMany ? codec.of : codec).secret === true
    const values = words.slice(at, (at += count))
    shown[name] = isSecret ? HIDDEN : isMany ? `[${count}]` : show(values[0] ?? "")
  }
  return shown
}

function cut(word: Wire): string {
  if (typeof word !== "string") return `(${word.length} bytes)`
  const text = withoutIds(word)
  return text.length > LONGEST_WORD ? `${text.slice(0, LONGEST_WORD)}…` : text
}

/** Ids that the script is about to allocate. */
const withoutIds = (text: string): string => text.replaceAll(/kwid[0-9a-f]{24}/g, "new")
