/* What audit finds with the proposal, besides what it does not explain: index entries that are
 * out of step, references to missing records. Entities, families and invariants are proposed
 * when nearly everything that was tried confirms them, so some of the data may not.
 *
 * For a server of ordinary size all deviations are known, because audit is simply run; for a
 * large one only those that were tried. */

import { fromJson } from "../../../schema/json/from-json.ts"
import { audit } from "../../audit/audit.ts"
import type { Finding } from "../../audit/finding.ts"
import { groupBy } from "../../../schema/group-by.ts"
import type { InferOptions, InferSource, Inference } from "../infer.ts"

export interface Deviation {
  /** As audit has it: `"INDEX.DANGLING"`. */
  readonly code: string
  readonly db: number
  readonly pattern: string
  readonly keys: number
  /** Secrets redacted. */
  readonly example: string
}

/** Up to this many keys are simply read once more. */
const MOST_KEYS = 20_000

/** Undefined where it is not known. */
export async function deviationsOf(
  from: InferSource,
  { form, keys, unexplained }: Inference,
  { against, match, sample, databases, ...options }: InferOptions,
): Promise<readonly Deviation[] | undefined> {
  const isPart = against !== undefined || match !== undefined || (sample ?? 1) < 1
  if (isPart || keys > MOST_KEYS) return undefined
  const { findings } = await audit(fromJson(form), from, { ...options, ...(databases && { databases }) })
  const told = new Set(
    unexplained.filter(({ reason }) => reason.includes("field")).map(({ db, pattern }) => `${db} ${pattern}`),
  )
  const isNew = ({ code, db, pattern }: Finding) =>
    !code.startsWith("KEY.") && !(code.startsWith("VALUE.") && told.has(`${db} ${pattern}`))
  const groups = groupBy(findings.filter(isNew), ({ code, db, pattern }) => `${code} ${db} ${pattern}`)
  return [...groups.values()].map((own) => {
    const { code, db, pattern, key } = own[0]!
    return { code, db, pattern, keys: new Set(own.map(({ target }) => String(target.key))).size, example: key }
  })
}
