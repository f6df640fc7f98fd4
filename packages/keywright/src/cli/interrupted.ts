/* A walk that could not continue has still found something: that is printed first, then
 * what stopped it. The command exits with 4. */

import { Interrupted } from "../errors/inspect.ts"
import type { Invocation, ExitCode } from "./command.ts"
import { failureOf, printFailure } from "./failure.ts"

export interface Walked<T> {
  readonly result: T
  /** What stopped it. */
  readonly stopped: Interrupted | undefined
}

export async function orPartial<T>(work: Promise<T>): Promise<Walked<T>> {
  try {
    return { result: await work, stopped: undefined }
  } catch (error) {
    if (!(error instanceof Interrupted) || error.partial === undefined) throw error
    return { result: error.partial as T, stopped: error }
  }
}

/** The result as JSON, with what stopped it. */
export const documentOf = <T extends object>({ result, stopped }: Walked<T>): object =>
  stopped === undefined ? result : { ...result, interrupted: { ...failureOf(stopped), resume: stopped.resume } }

export function exitOf({ out }: Invocation, { stopped }: Walked<unknown>, otherwise: ExitCode): ExitCode {
  if (stopped === undefined) return otherwise
  if (!out.json) printFailure(stopped, out)
  return 4
}
