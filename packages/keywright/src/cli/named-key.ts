/* A key by its name in the schema, and its parameters as name=value. */

import { usageRefused } from "../errors/cli.ts"
import type { Key } from "../schema/key.ts"
import type { Keyspace } from "../schema/keyspace.ts"

/** The key of this name, of this pattern, or of this end of a name that no other has: `cart` for `session.cart`. */
export function keyNamed({ keys }: Keyspace, name: string): Key {
  const found = keys.find((key) => key.name === name) ?? keys.find((key) => key.pattern === name)
  if (found) return found
  const ending = keys.filter((key) => key.name.endsWith(`.${name}`))
  if (ending.length === 1) return ending[0]!
  const near = keys.map((key) => key.name).filter((one) => one.toLowerCase().includes(name.toLowerCase()))
  const some = (near.length > 0 ? near : keys.map((key) => key.name)).slice(0, 8)
  throw usageRefused(
    `the schema has no key ${JSON.stringify(name)}`,
    `Use one of: ${some.join(", ")}${near.length === 0 ? ", …" : ""}.`,
  )
}

/** `["token=EB93"]` → decoded parameters, as the key's codecs read them. */
export function paramsFrom({ pattern, params }: Key, words: readonly string[]): Record<string, unknown> {
  const names = Object.keys(params)
  return Object.fromEntries(
    words.map((word) => {
      const [, name = "", text = ""] = /^([^=]+)=(.*)$/s.exec(word) ?? []
      const codec = params[name]
      if (codec === undefined) {
        const known =
          names.length === 0 ? "It has no parameters." : `Its parameters are ${names.join(", ")}: write name=value.`
        throw usageRefused(`${JSON.stringify(word.split("=")[0])} is not a parameter of ${pattern}`, known)
      }
      return [name, codec.decode(text)]
    }),
  )
}
