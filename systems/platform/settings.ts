/* Settings, declared as data: a name, its default, how its text is read, and what it is
 * for. `--set shop.pageTtl=60` is looked up here and nowhere else. Arguments of a process
 * are seen by everybody on the machine, so any setting can come from a file, and a secret
 * one from the environment as well.
 *
 *   settings: { pageTtl: whole(300, "Seconds that a page is kept.", { min: 1 }), jobs: flag(true, "…") } */

import { readSecretFile } from "./secret-file.ts"
import { UsageError } from "./usage-error.ts"

export interface Setting<T> {
  readonly fallback: T
  readonly doc: string
  /** What it takes, for messages: `"a whole number"`. */
  readonly takes: string
  /** Never printed. */
  readonly secret?: boolean
  /** Made at random where it is absent: several workers need the same one. */
  readonly generated?: boolean
  /** The value, or undefined when the text is invalid. */
  read(text: string): T | undefined
}

export type Settings = Readonly<Record<string, Setting<unknown>>>
export type ValuesOf<S> = { readonly [N in keyof S]: S[N] extends Setting<infer T> ? T : never }

interface Range {
  readonly min?: number
  readonly max?: number
}

export function whole(fallback: number, doc: string, { min = 0, max = Number.MAX_SAFE_INTEGER }: Range = {}) {
  const takes = max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min} on` : `a whole number, ${min} to ${max}`
  return setting(fallback, doc, takes, (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })
}

export const flag = (fallback: boolean, doc: string) =>
  setting(fallback, doc, "true or false", (text) => (text === "true" ? true : text === "false" ? false : undefined))

export const onOff = (fallback: boolean, doc: string) =>
  setting(fallback, doc, "on or off", (text) => (text === "on" ? true : text === "off" ? false : undefined))

/** Any text that is not empty; without a fallback it may be missing. */
export const words = (fallback: string | undefined, doc: string) =>
  setting<string | undefined>(fallback, doc, "a text", (text) => (text === "" ? undefined : text))

/** One of some words, the first by default. */
export const choice = <const W extends readonly [string, ...string[]]>(words: W, doc: string) =>
  setting<W[number]>(words[0], doc, words.join(", "), (text) => words.find((word) => word === text))

/** What Node makes of bytes of the command line or the environment that are not UTF-8, whatever they were. */
const UNREADABLE = "\ufffd"

/** A text that is never printed: not in logs, errors, metrics or messages. `minBytes`: what is shorter is refused. */
export const secretWords = (
  doc: string,
  { minBytes = 1, generated = false }: { readonly minBytes?: number; readonly generated?: boolean } = {},
) => ({
  ...setting<string | undefined>(
    undefined,
    doc,
    minBytes === 1 ? "a text" : `a text of at least ${minBytes} bytes, such as \`openssl rand -base64 48\` makes`,
    (text) => (Buffer.byteLength(text.replaceAll(UNREADABLE, "")) < minBytes ? undefined : text),
  ),
  secret: true,
  generated,
})

/** Puts all keys of a system under one hash tag: `{main}:cart:7`. */
export const hashTag = () =>
  setting<string | undefined>(
    undefined,
    "For a cluster: a hash tag before every key, so that all keys are in one slot. Without it, keys have the document's names.",
    "up to 64 letters, digits, _, . and -",
    (text) => (/^[\w.-]{1,64}$/.test(text) ? text : undefined),
  )

/** Spreads the keys of a system over the slots of a cluster. */
export const shardCount = () =>
  whole(
    0,
    "For a cluster: the number of shards that keys are spread over. 1024 is a good number; it is fixed for the life of the data. With 0, keys have the document's names.",
    { max: 16_384 },
  )

/** A time zone of the IANA list: `Asia/Ho_Chi_Minh`. */
export const timeZone = (fallback: string, doc: string) =>
  setting(fallback, doc, "a time zone such as Europe/Berlin", (text) => {
    try {
      return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone && text
    } catch {
      return undefined // Intl refuses anything that is not a time zone.
    }
  })

/** The logical database of a system, where it is not to follow from the address. */
export const databaseNumber = (): Setting<number | undefined> => ({
  ...whole(0, "The logical database, instead of the one in the address or the default.", { max: 9999 }),
  fallback: undefined,
})

/** As many logical databases as the fallback has: `0,1,2`. */
export const databaseNumbers = (fallback: readonly number[], doc: string) =>
  setting<readonly number[]>(fallback, doc, `${fallback.length} different numbers, separated by commas`, (text) => {
    const numbers = /^\d{1,4}(,\d{1,4})*$/.test(text) ? text.split(",").map(Number) : []
    return numbers.length === fallback.length && new Set(numbers).size === numbers.length ? numbers : undefined
  })

/** Any other: `takes` says what it takes, and `read` returns undefined for everything else. */
export const setting = <T>(
  fallback: T,
  doc: string,
  takes: string,
  read: (text: string) => T | undefined,
): Setting<T> => ({
  fallback,
  doc,
  takes,
  read,
})

export interface SettingSources {
  /** `--set-file restaurant.jwtSecret=/run/secrets/jwt` */
  readonly files?: readonly string[]
  /** Secret settings only: `KEYWRIGHT_RESTAURANT_JWT_SECRET`. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** What was set (`"shop.pageTtl=60"`) → the values of each system's settings. What is given beats the environment. */
export function readSettings(
  declared: Readonly<Record<string, Settings>>,
  given: readonly string[],
  { files = [], env = {} }: SettingSources = {},
): Record<string, Record<string, unknown>> {
  const values: Record<string, Record<string, unknown>> = {}
  const set = (name: string, text: string) => {
    const [system, own, setting] = find(declared, name)
    const value = setting.read(text)
    if (value === undefined) throw new UsageError(`the setting ${name} takes ${setting.takes}`)
    values[system]![own] = value
  }
  for (const [system, settings] of Object.entries(declared)) {
    values[system] = Object.fromEntries(Object.entries(settings).map(([name, { fallback }]) => [name, fallback]))
    for (const [own, { secret }] of Object.entries(settings)) {
      const text = secret ? env[variableOf(`${system}.${own}`)] : undefined
      if (text !== undefined && text !== "") set(`${system}.${own}`, text)
    }
  }
  const assigned = new Set<string>()
  for (const [name, text] of given.map((one) => assignment("--set", one, declared))) {
    set(name, text)
    assigned.add(name)
  }
  for (const [name, path] of files.map((one) => assignment("--set-file", one, declared))) {
    if (assigned.has(name)) throw new UsageError(`${name} is given by --set and by --set-file`)
    set(name, readSecretFile(`--set-file ${name}`, path))
  }
  return values
}

/** `restaurant.vnpay.hashSecret` → `KEYWRIGHT_RESTAURANT_VNPAY_HASH_SECRET` */
export const variableOf = (name: string): string =>
  `KEYWRIGHT_${name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/\W/g, "_")
    .toUpperCase()}`

/** `name=value`, for an existing setting. A secret without a name is not repeated; its end may be = in base64. */
function assignment(option: string, text: string, declared: Readonly<Record<string, Settings>>): [string, string] {
  const [, name = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const isName = value !== undefined && /[^=]/.test(value) && /^[a-z]\w{0,30}(?:\.[a-z]\w{0,30}){0,3}$/i.test(name)
  find(declared, name, isName ? ` "${name}"` : ` of that name (${option} takes name=value)`)
  if (value === undefined) throw new UsageError(`${option} ${name} needs a value: ${name}=…`)
  return [name, value]
}

function find(
  declared: Readonly<Record<string, Settings>>,
  name: string,
  shown = ` "${name}"`,
): [string, string, Setting<unknown>] {
  const dot = name.indexOf(".")
  const [system, own] = [name.slice(0, dot), name.slice(dot + 1)]
  const setting = dot > 0 && Object.hasOwn(declared, system) ? ownOf(declared[system]!, own) : undefined
  if (setting === undefined) throw new UsageError(`no setting${shown}; there are:\n${list(declared)}`)
  return [system, own, setting]
}

const ownOf = (settings: Settings, name: string) => (Object.hasOwn(settings, name) ? settings[name] : undefined)

function list(declared: Readonly<Record<string, Settings>>): string {
  const rows = Object.entries(declared).flatMap(([system, settings]) =>
    Object.entries(settings).map(([name, { fallback, doc, secret }]) => {
      const shown = secret || fallback === undefined ? "" : ` (${String(fallback)})`
      return `  ${system}.${name}${shown}  ${doc}`
    }),
  )
  return rows.join("\n")
}
