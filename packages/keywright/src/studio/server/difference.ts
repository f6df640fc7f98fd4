/* What changed in a system's schema since another version of it, as the page shows it. */

import { adviceFor } from "../../change/diff/advice.ts"
import { diffSchemas } from "../../change/diff/diff.ts"
import { notFound } from "../../errors/studio.ts"
import { toJson } from "../../schema/json/to-json.ts"
import type { SystemDifference } from "../api.ts"
import { onePer } from "../../client/call/one-per.ts"
import type { OpenSystem } from "./open-system.ts"

export const differenceView = onePer(({ name, keyspace, given, model }: OpenSystem): SystemDifference => {
  if (given.against === undefined) throw notFound("schema to compare this one with: start the studio with --against")
  const { changes, questions, level, order } = diffSchemas(given.against.form, toJson(keyspace))
  return {
    system: name,
    before: given.against.label,
    level,
    order,
    questions,
    changes: changes.map((change) => {
      const pattern = [change.newKey, change.path].find((one) => one !== undefined && model.keys.has(one))
      return { ...change, advice: adviceFor(change), ...(pattern !== undefined && { pattern }) }
    }),
  }
})
