/* The demonstration: people who fill each system through its HTTP API and continue to use
 * it, and some damage that audit finds. The same seed produces the same demonstration. */

import type { Target } from "keywright"
import type { Log } from "../platform/log.ts"
import { callerOf } from "./caller.ts"
import { cartoMakers } from "./carto.ts"
import { doDamage, type Places } from "./damage.ts"
import { messagingPeople } from "./messaging.ts"
import type { People, Play } from "./people.ts"
import { randomFrom } from "./random.ts"
import { recommenderReaders } from "./recommender.ts"
import { restaurantGuests } from "./restaurant.ts"
import { shopVisitors } from "./shop.ts"
import { startTraffic, type Traffic } from "./traffic.ts"

export interface DemoOptions {
  /** The server's address, without the systems' prefixes. */
  readonly url: string
  readonly adminToken: string
  /** The restaurant's first administrator. */
  readonly boss: { readonly email: string; readonly password: string }
  readonly seed?: number
  readonly log: Log
}

/** Those who play along, by system. */
export async function fillSystems(names: readonly string[], options: DemoOptions): Promise<People[]> {
  const { url, adminToken, boss, seed = 7 } = options
  const plays: Readonly<Record<string, Play>> = {
    shop: shopVisitors,
    messaging: messagingPeople,
    carto: cartoMakers,
    recommender: recommenderReaders,
    restaurant: restaurantGuests(boss),
  }
  const filling = names.flatMap((name, i) => {
    const prefix = names.length === 1 ? "" : `/${name}`
    return plays[name] ? [plays[name](callerOf(url + prefix, adminToken), randomFrom(seed + i))] : []
  })
  return Promise.all(filling)
}

export async function startDemo(
  names: readonly string[],
  target: Target,
  places: Places,
  options: DemoOptions,
): Promise<Traffic> {
  const people = await fillSystems(names, options)
  await doDamage(target, places)
  return startTraffic(people, randomFrom(options.seed ?? 7), options.log)
}
