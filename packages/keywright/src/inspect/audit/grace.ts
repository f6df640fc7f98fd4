import { toMs } from "../../schema/duration.ts"
import type { RuleNotes } from "../../schema/invariant.ts"

/** How long a rule may be broken, as a part of a suspicion. */
export const graceOf = ({ grace }: RuleNotes): { readonly graceMs?: number } =>
  grace === undefined ? {} : { graceMs: toMs(grace) }
