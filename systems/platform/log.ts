/* The log: one JSON object a line, on standard error. Lines are written a few times a
 * second and not one by one, because a write per request would cost more than the
 * request. Secrets that the process knows (the admin token, passwords of addresses)
 * are cut out of whatever is logged; values and tokens of requests never get here. */

import { defined } from "./defined.ts"
import { isUnavailable, KeywrightError, Undecodable } from "keywright"

export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
  /** A line that is made already, with nothing secret in it: the access log's. */
  line(text: string): void
  /** Also cut this out from now on. */
  hide(secret: string | undefined): void
  flush(): void
}
export type LogFields = Readonly<Record<string, unknown>>

const EVERY_MS = 100
const MOST_CHARS = 65_536
const SHORTEST_SECRET = 4

export function openLog(write: (text: string) => void = (text) => void process.stderr.write(text)): Log {
  const secrets: string[] = []
  let waiting = ""
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting !== "") write(waiting)
    waiting = ""
  }
  const line = (text: string) => {
    waiting += `${text}\n`
    if (waiting.length > MOST_CHARS) flush()
    else timer ??= setTimeout(flush, EVERY_MS).unref()
  }
  const say = (level: string, event: string, fields: LogFields = {}) => {
    let text = JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })
    for (const secret of secrets) text = text.replaceAll(secret, "…")
    line(text)
  }
  return {
    info: (event, fields) => say("info", event, fields),
    warn: (event, fields) => say("warn", event, fields),
    error: (event, fields) => say("error", event, fields),
    line,
    hide(secret) {
      if (secret !== undefined && secret.length >= SHORTEST_SECRET) secrets.push(JSON.stringify(secret).slice(1, -1))
    },
    flush,
  }
}

/** For `onError` of a job: that Redis is away is known, and not repeated at each pass. */
export const jobFailed = (log: Log, what: string) => (error: unknown) => {
  if (!isUnavailable(error)) log.warn(what, errorFields(error))
}

/**
 * An error as fields of the log: what and where, and for unexpected ones, the stack. The content of a key is not
 * logged.
 */
export function errorFields(error: unknown, withStack = false): LogFields {
  if (!(error instanceof Error)) return { message: String(error) }
  if (error instanceof Undecodable)
    return { name: error.name, code: error.code, pattern: error.pattern, key: error.key, details: error.details }
  const { code, key, pattern } = error as { code?: unknown; key?: unknown; pattern?: unknown }
  return {
    name: error.name,
    ...defined({ code, pattern, key }),
    message: error.message,
    ...(withStack && !(error instanceof KeywrightError) && { stack: error.stack }),
    ...(error.cause instanceof Error && { cause: error.cause.message }),
  }
}
