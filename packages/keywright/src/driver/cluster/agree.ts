/* Merges several nodes' views of a cluster, each of which has one vote.
 *
 * A node that was paused or cut off continues to name itself, and one that lies names itself in the
 * place of others: so no single view is trusted where there are others.
 *
 *  - The owner of a slot is the one that most views name. In a tie, an owner that is gone loses; otherwise the
 *    known owner is kept.
 *  - A node stays where it is known to be, unless a majority of the views says otherwise. One that is not known, or
 *    is gone, is where most of them say.
 *  - A replica is one that a majority names. */

import { SLOTS } from "../cluster-slot.ts"
import { type Endpoint, isSameEndpoint } from "./endpoint.ts"
import type { Node } from "./node.ts"
import type { SlotView } from "./slot-view.ts"

export function agreeOnOwners(
  views: readonly SlotView[],
  known: (slot: number) => string | undefined,
  isGone: (id: string) => boolean,
): readonly (string | undefined)[] {
  const columns = views.map(ownersIn)
  return Array.from({ length: SLOTS }, (_, slot) => {
    const first = columns[0]?.[slot]
    if (columns.every((column) => column[slot] === first)) return first
    return chosen(
      columns.map((column) => column[slot]),
      known(slot),
      isGone,
    )
  })
}

function ownersIn(view: SlotView): (string | undefined)[] {
  const owners = Array.from<string | undefined>({ length: SLOTS })
  for (const { from, to, primary } of view) owners.fill(primary.id, from, to + 1)
  return owners
}

function chosen(
  named: readonly (string | undefined)[],
  known: string | undefined,
  isGone: (id: string) => boolean,
): string | undefined {
  const votes = new Map<string | undefined, number>()
  for (const id of named) votes.set(id, (votes.get(id) ?? 0) + 1)
  const most = Math.max(...votes.values())
  const leading = [...votes].flatMap(([id, count]) => (count === most ? [id] : []))
  if (leading.length === 1) return leading[0]
  const there = leading.filter((id) => id !== undefined && !isGone(id))
  return there.includes(known) ? known : (there[0] ?? leading.find((id) => id !== undefined))
}

/** Where the nodes are that are named, by their ids. */
export function agreeOnPlaces(
  views: readonly SlotView[],
  known: (id: string) => Pick<Node, "endpoint" | "isGone"> | undefined,
): ReadonlyMap<string, Endpoint> {
  const places = new Map<string, Endpoint[]>()
  for (const view of views)
    for (const [id, endpoint] of placesIn(view)) places.set(id, [...(places.get(id) ?? []), endpoint])
  return new Map([...places].map(([id, named]) => [id, chosenPlace(named, views.length, known(id))]))
}

/** One place for each node, however often it is named. */
function placesIn(view: SlotView): ReadonlyMap<string, Endpoint> {
  const places = new Map<string, Endpoint>()
  for (const { primary, replicas } of view)
    for (const { id, endpoint } of [primary, ...replicas])
      if (endpoint !== undefined && !places.has(id)) places.set(id, endpoint)
  return places
}

function chosenPlace(
  named: readonly Endpoint[],
  views: number,
  known: Pick<Node, "endpoint" | "isGone"> | undefined,
): Endpoint {
  const votesFor = (place: Endpoint): number => named.filter((one) => isSameEndpoint(one, place)).length
  const most = Math.max(...named.map(votesFor))
  const leading = named.filter((place) => votesFor(place) === most)
  if (known === undefined) return leading[0]!
  const isKept = known.isGone ? leading.some((place) => isSameEndpoint(place, known.endpoint)) : 2 * most <= views
  return isKept ? known.endpoint : leading[0]!
}

/** The ids of the replicas of each primary. */
export function agreeOnReplicas(views: readonly SlotView[]): ReadonlyMap<string, readonly string[]> {
  const votes = new Map<string, Map<string, number>>()
  for (const view of views)
    for (const [primary, replicas] of replicasIn(view)) {
      let named = votes.get(primary)
      if (named === undefined) votes.set(primary, (named = new Map()))
      for (const id of replicas) named.set(id, (named.get(id) ?? 0) + 1)
    }
  return new Map(
    [...votes].map(([primary, named]) => [
      primary,
      [...named].flatMap(([id, count]) => (2 * count > views.length ? [id] : [])),
    ]),
  )
}

function replicasIn(view: SlotView): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { primary, replicas } of view) {
    let ids = found.get(primary.id)
    if (ids === undefined) found.set(primary.id, (ids = new Set()))
    for (const { id } of replicas) ids.add(id)
  }
  return found
}
