/* From any error to the answer: one table, read from top to bottom. Nothing that was
 * stored and nothing that was sent is repeated in an answer. */

import { Conflict, isUnavailable, KeywrightError, SchemaError } from "keywright"
import { isAway, isUnreadable, isWrongType } from "../redis-away.ts"
import { SourceUnavailable } from "../source.ts"
import { badRequest, corruptKey, Problem, unavailable, type ProblemStatus } from "./problem.ts"

/** What a system's own scripts refuse with, by the code of their error: `{ "SESSION.UNKNOWN": [401, "unauthorized", "…"] }`. */
export type Refusals = Readonly<Record<string, readonly [status: ProblemStatus, code: string, message: string]>>

export interface AnsweredError {
  readonly problem: Problem
  /** Worth a line in the log: something is broken, and it is not the caller. */
  readonly log?: "warn" | "error"
}

export function answerTo(error: unknown, refusals: Refusals = {}): AnsweredError {
  if (error instanceof Problem) return { problem: error }
  if (error instanceof KeywrightError) return ofToolkit(error, refusals)
  if (isCutOff(error)) return { problem: badRequest("incomplete_body", "the body ended too early") }
  if (error instanceof SourceUnavailable)
    return { problem: unavailable("source_unavailable", "the relational source does not answer"), log: "warn" }
  return { problem: new Problem(500, "internal", "internal error; see the log"), log: "error" }
}

/** What Node throws where a body is read and its client is gone. */
const isCutOff = (error: unknown): boolean =>
  error instanceof Error && error.message === "aborted" && (error as NodeJS.ErrnoException).code === "ECONNRESET"

function ofToolkit(error: KeywrightError, refusals: Refusals): AnsweredError {
  const refusal = Object.hasOwn(refusals, error.code) ? refusals[error.code] : undefined
  if (refusal !== undefined) return { problem: new Problem(...refusal) }
  // A walk, an import or a repair that stopped: the answer is what stopped it.
  if (error.code.endsWith(".INTERRUPTED") && error.cause !== undefined) return answerTo(error.cause, refusals)
  const isSilent: boolean = isUnavailable(error)
  if (isSilent) return { problem: unavailable("redis_unavailable", "Redis does not answer"), log: "warn" }
  if (error.code === "DRIVER.CLOSED" || error.code === "JOB.STOPPED")
    return { problem: unavailable("stopping", "this server is being stopped") }
  if (error instanceof SchemaError && /^(KEY|CODEC)\./.test(error.code))
    return { problem: badRequest("invalid_value", error.message, { code: error.code }) }
  if (error instanceof Conflict) {
    const code = error.code.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")
    return { problem: new Problem(409, code, error.message) }
  }
  const where = error.key ?? error.pattern
  if (isWrongType(error)) return { problem: corruptKey("wrong_type", where), log: "error" }
  if (isUnreadable(error)) return { problem: corruptKey("undecodable_value", where), log: "error" }
  if (isAway(error))
    return { problem: unavailable("redis_unavailable", "Redis answered with an error; see the log"), log: "error" }
  return { problem: new Problem(500, "internal", "internal error; see the log"), log: "error" }
}
