import type { Problem } from "./problem.ts"
import type { Http } from "./route.ts"

/** The one shape of an error: `{ error, message, details? }`. */
export function problemResponse(http: Http, { status, code, message, details, headers }: Problem): Response {
  const body = { error: code, message, ...(details !== undefined && { details: details as never }) }
  return http.json(body, status, headers === undefined ? {} : { ...headers })
}
