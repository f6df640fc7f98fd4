/* What can be wrong with batches behind fences. */

import { SchemaError } from "./error.ts"
import { Conflict, Refused } from "./outcome.ts"

export const fenceOvertaken = (key: string, term: number) =>
  new Conflict("FENCE.OVERTAKEN", `at the fence ${key}, a run of a later term than ${term} has begun`, {
    key,
    why: "Only the latest run applies records, so that an earlier run that was believed dead changes nothing.",
    fix: "Stop this run: the later one repeats what was not applied.",
  })

export const fenceOrder = (sequence: string, id: number, last: number) =>
  new SchemaError("FENCE.ORDER", `record ${id} of ${JSON.stringify(sequence)} comes after ${last}`, {
    why: "A fence is the highest id that was applied: a lower id that comes later would be skipped.",
    fix: "Read the records in the order of their ids, positive whole numbers, each once.",
  })

export const fenceTerm = (term: number) =>
  new SchemaError("FENCE.TERM", `${term} is not a term`, {
    fix: "Use a positive whole number that grows from run to run: a counter beside the cursor of the run.",
  })

export const fenceSequence = (name: string) =>
  new SchemaError("FENCE.SEQUENCE", `a sequence cannot be named ${JSON.stringify(name)}`, {
    why: "The fence keeps the term of the latest run under this name: the ids of records would replace it.",
    fix: "Choose another name.",
  })

export const fenceUnreadable = (key: string) =>
  new Refused("FENCE.UNREADABLE", `the fence ${key} holds something other than whole numbers`, {
    key,
    why: "Its numbers ensure that a record is applied once. Without one of them, a record would be skipped or applied twice.",
    fix: "Audit the key, and correct it; or take the fences with `forget` and apply everything again.",
  })
