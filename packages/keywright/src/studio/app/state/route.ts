/* Where we are: the part of the address after `#`, so that every view and key has a
 * link that can be kept, shared and gone back from. Segments are percent-encoded one
 * by one: a key may hold any character.
 *
 *   #/browse/restaurant/dish?where=…   → { view: "browse", path: ["restaurant", "dish"], query } */

import { signal } from "@preact/signals"

export const views = [
  "overview",
  "browse",
  "key",
  "schema",
  "difference",
  "audit",
  "live",
  "console",
  "edit",
  "changes",
] as const
export type View = (typeof views)[number]

export interface Route {
  readonly view: View
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

export function parseRoute(hash: string): Route {
  const [place = "", search = ""] = splitOnce(hash.replace(/^#\/?/, ""), "?")
  const [first = "", ...rest] = place.split("/").map(decode)
  const view = views.find((one) => one === first)
  if (view === undefined) return { view: "overview", path: [], query: {} }
  return {
    view,
    path: rest.filter((segment) => segment !== ""),
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}

/** The address of a view: `href("browse", ["shop", "cart"], { token: "x" })`. */
export function href(
  view: View,
  path: readonly string[] = [],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const kept = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const search = new URLSearchParams(kept).toString()
  return `#/${[view, ...path.map(encodeURIComponent)].join("/")}${search === "" ? "" : `?${search}`}`
}

export const route = signal<Route>(parseRoute(""))

export function go(to: string, how: "push" | "replace" = "push"): void {
  if (how === "push") {
    location.hash = to
    return
  }
  history.replaceState(null, "", to)
  route.value = parseRoute(to)
}

export function followRoute(): void {
  const read = () => (route.value = parseRoute(location.hash))
  addEventListener("hashchange", read)
  read()
}

function splitOnce(text: string, at: string): [string, string] {
  const place = text.indexOf(at)
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + at.length)]
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
