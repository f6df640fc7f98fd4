/* The shortcut from a request to its route: Hono's router without Hono's context and without the
 * web platform's Request and Response, which cost more than the route itself. It is for targets
 * and hosts that can be read in one way only; everything else goes through the app, where the
 * same routes are found. */

import type { IncomingMessage, ServerResponse } from "node:http"
import { RegExpRouter } from "hono/router/reg-exp-router"
import { SmartRouter } from "hono/router/smart-router"
import { TrieRouter } from "hono/router/trie-router"
import type { PathParams } from "./auth.ts"
import { pathNames, type Endpoint } from "./endpoint.ts"
import type { Method } from "./route.ts"

/** Serves the request and returns true, or leaves it to the app and returns false. */
export type Direct = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

export interface DirectRouter {
  /** The first route that fits serves the request. One without an endpoint leaves it to the app. */
  add(method: Method, path: string, serve: Endpoint | undefined): void
  readonly serve: Direct
}

interface FoundRoute {
  readonly names: readonly string[]
  readonly serve: Endpoint | undefined
}

/** No segment is encoded, empty, `.` or `..`. */
const PLAIN_PATH = /^(?:\/[\w~@:,-][\w.~@:,-]*)+$/
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/
const NONE = Object.freeze({})
const NOTHING: [FoundRoute, Record<string, number>] = [{ names: [], serve: undefined }, {}]

/** `failed` is called with an error that an endpoint has thrown, instead of answering with it. */
export function directRouter(
  failed: (error: unknown, incoming: IncomingMessage, outgoing: ServerResponse) => void,
): DirectRouter {
  const router = new SmartRouter<FoundRoute>({ routers: [new RegExpRouter(), new TrieRouter()] })
  let isEmpty = true
  return {
    add(method, path, serve) {
      isEmpty = false
      router.add(method, honoPath(path), { names: pathNames(path), serve })
    },
    serve(incoming, outgoing) {
      const url = incoming.url!
      const mark = url.indexOf("?")
      const path = mark < 0 ? url : url.slice(0, mark)
      if (isEmpty || !PLAIN_PATH.test(path) || !PLAIN_HOST.test(incoming.headers.host ?? "")) return false
      const [routes, stash] = router.match(incoming.method === "HEAD" ? "GET" : incoming.method!, path)
      const [{ names, serve }, places] = routes[0] ?? NOTHING
      if (serve === undefined) return false
      serve({ env: { incoming, outgoing } }, paramsOf(names, places, stash)).catch((error: unknown) =>
        failed(error, incoming, outgoing),
      )
      return true
    },
  }
}

/** `/rows/{id}` → `/rows/:id` */
export const honoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1")

function paramsOf(
  names: readonly string[],
  places: Readonly<Record<string, string | number>>,
  stash: readonly string[] | undefined,
): PathParams {
  if (names.length === 0) return NONE
  const found: Record<string, string> = {}
  for (const name of names) found[name] = (stash ? stash[places[name] as number] : (places[name] as string)) ?? ""
  return found
}
