/* What a request is refused with: a status, a stable code, and a sentence. Services
 * throw these; `error-table.ts` turns every other error into one. */

export interface ProblemHints {
  /** Plain data for programs: never a secret, never a stored value. */
  readonly details?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class Problem extends Error {
  override readonly name = "Problem"
  readonly status: ProblemStatus
  readonly code: string
  readonly details: unknown
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(status: ProblemStatus, code: string, message: string, { details, headers }: ProblemHints = {}) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.headers = headers
  }
}

export type ProblemStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 409
  | 410
  | 411
  | 413
  | 415
  | 417
  | 421
  | 422
  | 429
  | 431
  | 500
  | 503

/** 400 */
export const badRequest = (code: string, message: string, details?: unknown) =>
  new Problem(400, code, message, details === undefined ? {} : { details })
/** 401 */
export const unauthorized = (message: string, code = "unauthorized") =>
  new Problem(401, code, message, { headers: { "WWW-Authenticate": "Bearer" } })
/** 403 */
export const forbidden = (message: string, code = "forbidden") => new Problem(403, code, message)
/** 404 */
export const notFound = (message: string, code = "not_found") => new Problem(404, code, message)
/** 409 */
export const conflict = (code: string, message: string, details?: unknown) =>
  new Problem(409, code, message, details === undefined ? {} : { details })
/** 500, for what is stored: names the key, secrets redacted, but not its content. */
export const corruptKey = (code: string, key: string | undefined) =>
  new Problem(
    500,
    code,
    `${key ?? "a key"} does not hold what its schema says`,
    key === undefined ? {} : { details: { key } },
  )
/** 503 */
export const unavailable = (code: string, message: string) =>
  new Problem(503, code, message, { headers: { "Retry-After": "1" } })
