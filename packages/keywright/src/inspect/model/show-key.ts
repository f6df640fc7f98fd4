/* Keys as they may be printed: secret segments hidden. */

import type { Wire } from "../../driver/driver.ts"
import type { Key } from "../../schema/key.ts"
import { locate, slotsOf } from "../../schema/locate.ts"
import { hideSegments, secretParams } from "../../schema/secret-params.ts"
import { isText, showWire } from "../walk/wire.ts"

/** Makes the function that shows the keys of one pattern. `keys` are those of its keyspace. */
export function keyShower(row: Key, keys: readonly Key[]): (key: Wire) => string {
  const secret = secretParams(row, keys)
  if (secret.size === 0) return showWire
  const [head, slots] = slotsOf(row.pattern, row.params)
  return (key) => hideSegments(row.pattern, isText(key) ? locate(key, head, slots) : undefined, secret)
}
