/* Parameters that have one value: oneOf("main"). They need not be given, since there is
 * nothing to choose: so a keyspace can be put under a prefix, and nothing else of a program
 * changes. */

import { keyspacePrefix } from "../errors/keyspace.ts"
import type { TextCodec } from "./codec/codec.ts"
import { type ParamCodecsOf, paramNames } from "./locate.ts"

/** The one value that a codec takes; undefined when there are several. */
export function onlyValue(codec: TextCodec | undefined): string | number | undefined {
  const spec = codec?.spec
  return spec?.codec === "oneOf" && spec.values.length === 1 ? spec.values[0] : undefined
}

/** The values of the parameters of a keyspace's prefix. Throws when one could be chosen. */
export function prefixValues(prefix: string, params: ParamCodecsOf): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    paramNames(prefix).map((name) => {
      const value = onlyValue(params[name])
      if (value === undefined) throw keyspacePrefix(prefix, name)
      return [name, value]
    }),
  )
}
