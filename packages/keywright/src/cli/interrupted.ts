/* A walk that could not continue has still found something: that is printed first, then
 * what stopped it. The command exits with 4. */

import { Interrupted } from "../errors/inspect.ts"
import type { UnreadableKeys } from "../inspect/model/unreadable.ts"
import { unreadableText } from "../render/unreadable-text.ts"
import type { Invocation, ExitCode } from "./command.ts"
import { failureOf, printFailure } from "./failure.ts"

export interface Walked<T> {
  readonly result: T
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

interface Readings {
  readonly unreadable?: readonly UnreadableKeys[]
}

/** 4 when something stopped the walk or could not be read: what was printed is not all. */
export function exitOf({ out }: Invocation, { result, stopped }: Walked<Readings>, otherwise: ExitCode): ExitCode {
  const unread = unreadableText(result.unreadable ?? [])
  for (const line of unread) out.warn(line)
  if (stopped === undefined) return unread.length === 0 ? otherwise : 4
  if (!out.json) printFailure(stopped, out)
  return 4
}
