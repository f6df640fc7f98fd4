/* What is answered where no route fits: 405 with what is allowed there, 400 where only an
 * empty segment prevents a match (an empty segment is dangerous: `viewed:` with nothing
 * after it is another key), and 404 for the rest. */

import { badRequest, notFound, Problem } from "./problem.ts"
import type { Route } from "./route.ts"

/** Route paths by their segments; a parameter takes any text. */
export function missing(routes: readonly Pick<Route, "method" | "path">[]): (path: string) => Problem {
  const templates = routes.map(({ method, path }) => ({ method, segments: path.split("/") }))
  return (path) => {
    const given = path.split("/")
    const fits = templates.filter(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((segment, i) => segment.startsWith("{") || segment === given[i]),
    )
    if (fits.length === 0) return notFound("there is nothing at this path", "no_such_route")
    const isEmpty = fits.some(({ segments }) =>
      segments.some((segment, i) => segment.startsWith("{") && given[i] === ""),
    )
    if (isEmpty) return badRequest("invalid_input", "path: a segment is empty")
    const methods = new Set<string>(fits.map(({ method }) => method))
    if (methods.has("GET")) methods.add("HEAD")
    const Allow = [...methods].sort().join(", ")
    return new Problem(405, "method_not_allowed", `only ${Allow} here`, { headers: { Allow } })
  }
}
