/* Where this process has found access tokens. A token is never moved, so the next time the
 * map and the token are read together: in one round trip, without a script, also on a cluster.
 * Only the place is remembered; the map and the token are read each time. */

import { isCorrupt } from "../../platform/tolerant.ts"
import type { MessagingContext } from "../context.ts"
import type { TokenKey } from "./token-sweeps.ts"

const MOST = 10_000

export function knownTokens(homes: MessagingContext["homes"]) {
  /** The oldest first. */
  const places = new Map<string, TokenKey>()

  return {
    add(token: string, key: TokenKey): void {
      places.set(token, key)
      if (places.size > MOST) for (const oldest of places.keys()) return void places.delete(oldest)
    },

    /** What the token says; undefined where it has to be looked up. */
    async find(home: string, token: string) {
      const place = places.get(token)
      if (place === undefined) return undefined
      try {
        const people = homes.people(home)
        const [key, said] = await Promise.all([people.tokenKeys().get(token), people.accessToken(place.params).get()])
        if (said !== undefined && key !== undefined && isSame(key, place)) {
          const { tenant, account, service: code, user } = said
          return { key, tenant, account, code, user, paired: undefined }
        }
      } catch (error) {
        if (!isCorrupt(error)) throw error
      }
      places.delete(token)
      return undefined
    },
  }
}

const isSame = (a: TokenKey, b: TokenKey): boolean =>
  a.to === b.to &&
  a.params.project === b.params.project &&
  a.params.service === b.params.service &&
  a.params.token === b.params.token
