import { problemBody } from "./answer.ts"
import type { Problem } from "./problem.ts"
import type { Http } from "./route.ts"

/** A problem, from where Hono answers. */
export const problemResponse = (http: Http, problem: Problem): Response =>
  http.json(problemBody(problem), problem.status, { ...problem.headers })
