/* The methods of a handle or a client by name, for tests that call all of them. */

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

// What the compiler keeps to the classes themselves.
const folder = join(import.meta.dirname, "kinds")
const sources = readdirSync(folder).flatMap((name) =>
  /^[a-z-]+\.ts$/.test(name) ? [readFileSync(join(folder, name), "utf8")] : [],
)
const hidden = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/^ {2}(?:private|protected) (?:async |get )?(\w+)/gm)].map(([, name]) => name!),
  ),
)
const isPublic = (name: string) =>
  !hidden.has(name) && !/^(constructor|toString|toJSON|~.*|length|name|prototype)$/.test(name)

/** Any object, as what it can be asked to do. */
export type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** The names of its methods, without those that the compiler keeps to its class. */
export function methodsOf(object: object): string[] {
  const names = new Set<string>()
  for (
    let at: object | null = object;
    at && at !== Object.prototype && at !== Function.prototype;
    at = Object.getPrototypeOf(at) as object
  )
    for (const name of Object.getOwnPropertyNames(at))
      if (isPublic(name) && typeof (object as Methods)[name] === "function") names.add(name)
  return [...names]
}
