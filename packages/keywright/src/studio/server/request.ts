/* What a request says, read strictly: every parameter once, numbers in their bounds,
 * bodies as objects of known fields. */

import { isObject } from "../../schema/codec/json-checks.ts"
import type { Context } from "hono"
import { bodyRefused, bodyTooLarge, notJson, queryRefused } from "../../errors/studio.ts"
import type { Edit } from "../api.ts"

const LONGEST = 8192
const MOST_BODY = 1_048_576
const MOST_DB = 99_999

export class Query {
  readonly #given: Record<string, string[]>

  constructor(c: Context) {
    this.#given = c.req.queries()
  }

  text(name: string): string | undefined {
    const [first, ...more] = this.#given[name] ?? []
    if (more.length > 0) throw queryRefused(name, "it is given twice")
    if (first !== undefined && first.length > LONGEST) throw queryRefused(name, "it is too long")
    return first
  }

  required(name: string): string {
    const text = this.text(name)
    if (text === undefined) throw queryRefused(name, "it is missing")
    return text
  }

  number(name: string, least: number, most: number): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!/^\d{1,15}$/.test(text) || Number(text) < least || Number(text) > most)
      throw queryRefused(name, `expected a whole number from ${least} to ${most}`)
    return Number(text)
  }

  db(): number {
    const db = this.number("db", 0, MOST_DB)
    if (db === undefined) throw queryRefused("db", "it is missing")
    return db
  }

  /** `p.<name>`, or those with another letter. */
  params(letter: "p" | "x" = "p"): Record<string, string> {
    const names = Object.keys(this.#given).filter((name) => name.startsWith(`${letter}.`))
    const given = names.map((name) => [name.slice(2), this.text(name) ?? ""] as const)
    return Object.fromEntries(given.filter(([, text]) => text !== ""))
  }
}

type Body = Readonly<Record<string, unknown>>

export async function bodyOf(c: Context, most = MOST_BODY): Promise<Body> {
  if (!/^application\/json(; *charset=utf-8)?$/i.test(c.req.header("content-type") ?? "")) throw notJson()
  const text = await bodyText(c, most)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw bodyRefused("it is not JSON")
  }
  if (!isObject(body)) throw bodyRefused("it is not an object")
  return body
}

/** The body up to its bound, whether its length was announced or it comes in chunks. */
async function bodyText(c: Context, most: number): Promise<string> {
  if (Number(c.req.header("content-length") ?? 0) > most) throw bodyTooLarge(most)
  const reader = c.req.raw.body?.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  const next = () =>
    reader?.read().catch(() => {
      throw bodyRefused("it breaks off")
    })
  for (let read = await next(); read?.value !== undefined; read = await next()) {
    bytes += read.value.length
    if (bytes > most) throw bodyTooLarge(most)
    chunks.push(read.value)
  }
  return Buffer.concat(chunks).toString("utf8")
}

export function textIn(body: Body, name: string): string {
  const text = body[name]
  if (typeof text !== "string") throw bodyRefused(`${name} is not text`)
  return text
}

export const maybeTextIn = (body: Body, name: string): string | undefined =>
  body[name] === undefined ? undefined : textIn(body, name)

function numberIn(body: Body, name: string, least: number, most: number): number {
  const number = body[name]
  if (!Number.isSafeInteger(number) || (number as number) < least || (number as number) > most)
    throw bodyRefused(`${name} is not a whole number from ${least} to ${most}`)
  return number as number
}

export const dbIn = (body: Body): number => numberIn(body, "db", 0, MOST_DB)

export const maybeNumberIn = (body: Body, name: string, least: number, most: number): number | undefined =>
  body[name] === undefined ? undefined : numberIn(body, name, least, most)

const objectIn = (body: Body, name: string): Body => {
  const object = body[name]
  if (!isObject(object)) throw bodyRefused(`${name} is not an object`)
  return object
}

function textsIn(body: Body, name: string): Record<string, string> {
  const object = objectIn(body, name)
  for (const text of Object.values(object)) if (typeof text !== "string") throw bodyRefused(`${name} holds no texts`)
  return object as Record<string, string>
}

/** An edit, field by field. */
export function editIn(body: Body): Edit {
  const place = () => ({ db: dbIn(body), ref: textIn(body, "ref") })
  switch (body["op"]) {
    case "create": {
      const ttl = body["ttlMs"] === null ? null : maybeNumberIn(body, "ttlMs", 1, Number.MAX_SAFE_INTEGER)
      return {
        op: "create",
        pattern: textIn(body, "pattern"),
        params: textsIn(body, "params"),
        fields: objectIn(body, "fields"),
        ...(ttl !== undefined && { ttlMs: ttl }),
      }
    }
    case "change":
      return { op: "change", ...place(), seen: textIn(body, "seen"), fields: objectIn(body, "fields") }
    case "put": {
      const element = maybeTextIn(body, "element")
      return { op: "put", ...place(), fields: objectIn(body, "fields"), ...(element !== undefined && { element }) }
    }
    case "remove":
      return { op: "remove", ...place(), element: textIn(body, "element") }
    case "delete":
      return { op: "delete", ...place(), seen: textIn(body, "seen") }
    default:
      throw bodyRefused("op must be one of create, change, put, remove, delete")
  }
}
