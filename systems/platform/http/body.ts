/* The body of a request, of a bounded size; usually JSON, in UTF-8. It is read from Node's own
 * stream, because a copy through web streams costs more than the rest of a request. */

import { isUtf8 } from "node:buffer"
import type { IncomingMessage } from "node:http"
import { setImmediate } from "node:timers/promises"
import { arrivingBodies, type ArrivingBody } from "./arriving-bodies.ts"
import { GatheredBytes } from "./gathered-bytes.ts"
import { badRequest, Problem } from "./problem.ts"

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i
const BYTE_ORDER_MARK = 0xfeff

/** Levels of objects and arrays in a body: far more than anybody means, far fewer than what overflows a stack. */
const DEPTH = 256
/** Fields of one object: far more than any honest body has. Checking 100,000 unknown ones would take the time of a hundred requests. */
const FIELDS = 1000
/** Objects, lists and fields of a body together: to read a megabyte of nothing else would take the time of hundreds of requests. */
const PARTS = 10_000
/** Elements of its lists together: as many ids as a megabyte has room for are fewer, numbers are not. */
const ELEMENTS = 200_000
/** An object loses a field of this name when it is copied. */
const PROTO = "__proto__"

/** Bytes from which on a body takes its turn: few have as many. */
const LARGE = 16 * 1024

const arriving = arrivingBodies()

let turns: Promise<unknown> = Promise.resolve()
/** Large bodies are read one after another: requests that arrive in between are served before the next. */
const nextTurn = (): Promise<unknown> => (turns = turns.then(() => setImmediate()))

/**
 * The body of a request, read from its first byte on, also while nobody knows yet who sent it: what nobody reads is kept
 * by Node, chunk by chunk as it came, and a chunk of one byte takes hundreds. What is wrong with it is said when somebody
 * asks for it.
 */
export class IncomingBody implements ArrivingBody {
  size = 0
  position = -1
  readonly #incoming: IncomingMessage
  readonly #limit: number
  readonly #gathered = new GatheredBytes()
  #problem: Problem | undefined
  #isComplete = false
  /** Somebody waits for the rest. */
  #settle: (() => void) | undefined

  /** With a problem, nothing is kept. */
  constructor(incoming: IncomingMessage, limit: number, problem?: Problem) {
    this.#incoming = incoming
    this.#limit = limit
    this.#problem = Number(incoming.headers["content-length"]) > limit ? (problem ?? tooLarge(limit)) : problem
    if (this.#problem === undefined) incoming.on("data", this.#onData).on("end", this.#onEnd).on("error", this.#onError)
    else incoming.resume()
  }

  bytes(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        if (this.#problem !== undefined) return reject(this.#problem)
        arriving.forget(this)
        resolve(this.#gathered.take())
      }
      this.#settle = () => {
        if (this.#problem !== undefined || this.size < LARGE) finish()
        else void nextTurn().then(finish)
      }
      if (this.#isComplete || this.#problem !== undefined) this.#settle()
    })
  }

  /** Nobody asks for it any more: what is there is forgotten, and what still comes. */
  drop(): void {
    this.#refuse(unwanted)
  }

  /** Others need the room. */
  giveWay(): void {
    this.#refuse(tooMany())
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#problem !== undefined) return // Read and forgotten.
    if (this.size + chunk.length > this.#limit) return this.#refuse(tooLarge(this.#limit))
    this.#gathered.add(chunk)
    arriving.grow(this, chunk.length)
  }
  readonly #onEnd = (): void => {
    this.#isComplete = true
    // The request may wait for its turn: what still listens would keep the bytes as long.
    this.#incoming.off("data", this.#onData).off("end", this.#onEnd).off("error", this.#onError)
    this.#settle?.()
  }
  readonly #onError = (): void => this.#refuse(badRequest("incomplete_body", "the body ended too early"))

  #refuse(problem: Problem): void {
    if (this.#problem !== undefined) return
    this.#problem = problem
    this.#gathered.take()
    arriving.forget(this)
    this.#settle?.()
  }
}

/** A body of JSON; undefined when there is none and none is needed. */
export function jsonBody(incoming: IncomingMessage, limit: number, isOptional: boolean): IncomingBody | undefined {
  return isOptional && isAbsent(incoming) ? undefined : new IncomingBody(incoming, limit, typeProblem(incoming))
}

function isAbsent({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"]
  return (length === undefined || length === "0") && headers["transfer-encoding"] === undefined
}

function typeProblem({ headers }: IncomingMessage): Problem | undefined {
  const type = headers["content-type"]
  if (type !== "application/json" && (type === undefined || !JSON_TYPE.test(type)))
    return new Problem(415, "unsupported_media_type", "the body has to be application/json")
  if ((headers["content-encoding"] ?? "identity") !== "identity")
    return new Problem(415, "unsupported_media_type", "the body has to come without a Content-Encoding")
  return undefined
}

/** What the bytes say; undefined when there are none and none are needed. */
export function parseBody(bytes: Buffer, isOptional: boolean): unknown {
  if (bytes.length === 0 && isOptional) return undefined
  // Each of them takes two bytes at least: most bodies need no look.
  if (bytes.length > 2 * PARTS) checkParts(bytes)
  const body = parsed(utf8Text(bytes))
  if (isComposite(body)) checkShape(body, DEPTH)
  return body
}

function utf8Text(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notJson()
  const text = bytes.toString()
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

const notJson = () => badRequest("malformed_json", "the body is not JSON")

const isComposite = (value: unknown): value is object => typeof value === "object" && value !== null

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** What begins a list, an object, and the value of a field. */
const [LIST, OBJECT, FIELD] = [0x5b, 0x7b, 0x3a]
const COMMA = 0x2c

/** Before they are made, which is what takes the time. What is not JSON may be miscounted: it is refused anyway. */
function checkParts(bytes: Buffer): void {
  let parts = 0
  let elements = 0
  let isText = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) isText = !isText
    else if (isText) {
      if (byte === BACKSLASH) i += 1
    } else if (byte === LIST || byte === OBJECT || byte === FIELD) {
      parts += 1
      if (parts > PARTS) throw badRequest("invalid_input", `body: has more than ${PARTS} objects, lists and fields`)
    } else if (byte === COMMA) {
      elements += 1
      if (elements > ELEMENTS) throw badRequest("invalid_input", `body: has more than ${ELEMENTS} elements`)
    }
  }
}

/** In one pass and without copies. */
function checkShape(value: object, levels: number): void {
  if (levels === 0) throw badRequest("invalid_input", `body: is nested more than ${DEPTH} deep`)
  if (Array.isArray(value)) {
    for (const inner of value as unknown[]) if (isComposite(inner)) checkShape(inner, levels - 1)
    return
  }
  let fields = 0
  for (const name in value) {
    fields += 1
    if (fields > FIELDS) throw badRequest("invalid_input", `body: an object has more than ${FIELDS} fields`)
    if (name === PROTO) throw badRequest("invalid_input", `body: no field can be named ${PROTO}`)
    const inner: unknown = value[name as never]
    if (isComposite(inner)) checkShape(inner, levels - 1)
  }
}

const unwanted = new Problem(400, "unwanted_body", "nobody reads the body")

const tooLarge = (limit: number) =>
  new Problem(413, "body_too_large", `the body has more than ${limit} bytes`, { headers: { Connection: "close" } })

const tooMany = () =>
  new Problem(503, "busy", "too many large bodies are arriving", {
    headers: { Connection: "close", "Retry-After": "1" },
  })
