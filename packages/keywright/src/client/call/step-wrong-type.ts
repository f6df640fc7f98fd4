import type { Driver } from "../../driver/driver.ts"
import type { WrongType } from "../../errors/outcome.ts"
import { redisTypes } from "../../schema/define.ts"
import { redactKey, type ReadyKey } from "./ready-key.ts"
import { explainedAs } from "./explained.ts"

/**
 * The WRONGTYPE of a script, or of many commands, does not say which key it is about: TYPE is asked for all keys, and
 * the error names the first whose type is not the one in the schema. If that cannot be found out, the error is left
 * unchanged.
 */
export async function namingItsKey(
  error: WrongType,
  driver: Driver,
  keys: readonly string[],
  owners: readonly ReadyKey[],
): Promise<unknown> {
  try {
    const types = await driver.batch(owners.map((_, i) => ["TYPE", keys[i]!]))
    const at = types.findIndex((type, i) => type !== "none" && type !== redisTypes[owners[i]!.declared.kind])
    const owner = owners[at]
    return owner === undefined ? error : explainedAs(error, owner.declared.pattern, redactKey(owner, keys[at]!))
  } catch {
    return error // Redis has become unreachable meanwhile: the first error is the one to report.
  }
}
