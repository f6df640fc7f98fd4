/* Reading plain data, keeping track of the path: each function takes a value and the path
 * where it is, and returns it typed or throws an error that names the path. Data may come
 * from anywhere: names such as __proto__ are names like any other, and depth and size are
 * bounded. */

import type { Duration } from "../duration.ts"
import { SchemaError } from "../../errors/error.ts"
import {
  jsonFormMissing,
  jsonFormRefused,
  jsonFormTooLarge,
  jsonFormType,
  jsonFormUnknown,
} from "../../errors/json-form.ts"

/** A value of the document, and its path. */
export interface AtPath {
  readonly value: unknown
  readonly path: string
  readonly depth: number
}

const maxDepth = 64
const maxText = 10_000
const maxPattern = 1000
const maxNames = 10_000

export const root = (value: unknown): AtPath => ({ value, path: "$", depth: 0 })

/** The fields of an object, each with its path. With `known`, others are refused. */
export function fields(at: AtPath, known?: readonly string[]): Map<string, AtPath> {
  const { value, path, depth } = at
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw jsonFormType(path, "an object", value)
  if (depth > maxDepth) throw jsonFormTooLarge(path, `nested more than ${maxDepth} deep`)
  const names = Object.keys(value)
  if (names.length > maxNames) throw jsonFormTooLarge(path, `more than ${maxNames} names`)
  const found = names.map((name): [string, AtPath] => {
    if (known && !known.includes(name)) throw jsonFormUnknown(path, name, known)
    return [name, { value: (value as Record<string, unknown>)[name], path: `${path}.${name}`, depth: depth + 1 }]
  })
  return new Map(found)
}

/** A field that has to be there. */
export function need(from: Map<string, AtPath>, name: string, { path }: AtPath): AtPath {
  const found = from.get(name)
  if (!found) throw jsonFormMissing(path, name)
  return found
}

export function text({ value, path }: AtPath): string {
  if (typeof value !== "string") throw jsonFormType(path, "text", value)
  if (value.length > maxText) throw jsonFormTooLarge(path, `a text of ${value.length} characters`)
  return value
}

/** A pattern, or a part of one: short enough to be compared with all others. */
export function pattern(at: AtPath): string {
  const found = text(at)
  if (found.length > maxPattern) throw jsonFormTooLarge(at.path, `a pattern of ${found.length} characters`)
  return found
}

export function whole({ value, path }: AtPath): number {
  if (!Number.isSafeInteger(value)) throw jsonFormType(path, "a whole number", value)
  return value as number
}

/** A duration as a text; the reader checks whether it is valid. */
export const duration = (at: AtPath): Duration => text(at) as Duration

export function number({ value, path }: AtPath): number {
  if (!Number.isFinite(value)) throw jsonFormType(path, "a number", value)
  return value as number
}

export function flag({ value, path }: AtPath): boolean {
  if (typeof value !== "boolean") throw jsonFormType(path, "true or false", value)
  return value
}

export function items({ value, path, depth }: AtPath): AtPath[] {
  if (!Array.isArray(value)) throw jsonFormType(path, "an array", value)
  if (value.length > maxNames) throw jsonFormTooLarge(path, `more than ${maxNames} elements`)
  return value.map((element, i) => ({ value: element as unknown, path: `${path}[${i}]`, depth: depth + 1 }))
}

export const texts = (at: AtPath): string[] => items(at).map(text)

/** One of these words. */
export function word<const W extends string>(at: AtPath, words: readonly W[]): W {
  const found = text(at)
  if (!(words as readonly string[]).includes(found)) throw jsonFormUnknown(at.path, found, words)
  return found as W
}

/** The fields that are there, each read by its reader: what is absent stays absent. */
export function present<R extends Readonly<Record<string, (at: AtPath) => unknown>>>(
  from: Map<string, AtPath>,
  readers: R,
): { [N in keyof R]?: ReturnType<R[N]> } {
  const found = Object.entries(readers).flatMap(([name, read]) => {
    const at = from.get(name)
    return at ? [[name, read(at)] as const] : []
  })
  return Object.fromEntries(found) as { [N in keyof R]?: ReturnType<R[N]> }
}

/** An object whose names are data, its values read by one reader. */
export const record = <T>(at: AtPath, read: (at: AtPath) => T): Record<string, T> =>
  Object.fromEntries([...fields(at)].map(([name, field]) => [name, read(field)]))

/** Runs a declaration; its errors are reported at this path. */
export function declared<T>({ path }: AtPath, declare: () => T): T {
  try {
    return declare()
  } catch (error) {
    throw error instanceof SchemaError && !error.code.startsWith("JSON_FORM.") ? jsonFormRefused(path, error) : error
  }
}
