/* Who may do what: the admin may do everything, users may use their own data with their API key, and public data is open.
 * API keys are compared in constant time (CDB-5). */

import { isSameSecret } from "../../platform/http/auth.ts"
import type { CartoContext } from "../context.ts"
import type { OauthTokens } from "./oauth-tokens.ts"
import type { OwnerRecord, Owners } from "./owners.ts"
import { badCredentials, noCredentials, notYours } from "./refusals.ts"

/** What came with a request. */
export type Caller =
  | { readonly kind: "admin" }
  | {
      readonly kind: "user"
      readonly apiKey: string | undefined
      readonly bearer: string | undefined
      /** The error to report when these grant no access. */
      readonly refused: () => void
    }
  | { readonly kind: "nobody" }

/** Asked again when it is the turn of a request: the key may have been replaced since. The admin needs none. */
export type StillAllowed = () => Promise<void>

export function access({ db }: CartoContext, owners: Owners, tokens: OauthTokens) {
  /** Whether an API key of the caller's is that of one of these users. */
  const isOneOf = (caller: Caller, users: readonly OwnerRecord[]): boolean => {
    if (caller.kind !== "user") return false
    const given = [caller.apiKey, caller.bearer].filter((key) => key !== undefined)
    const keys = users.flatMap(({ map_key }) => map_key || []) // One that is empty opens nothing.
    return given.some((one) => keys.some((other) => isSameSecret(one, other)))
  }

  const demand = async (caller: Caller, users: () => Promise<readonly OwnerRecord[]>): Promise<void> => {
    if (caller.kind === "admin") return
    if (caller.kind === "nobody") throw noCredentials()
    if (isOneOf(caller, await users())) return
    caller.refused()
    throw badCredentials()
  }

  const user = (caller: Caller, username: string): Promise<void> =>
    demand(caller, async () => [await db.users.user({ username }).getMany(["map_key"])])

  return {
    /** The admin, or this user. */
    user,

    /** The same for a change that has to wait for its turn: returns how to check again then. */
    async userInTurn(caller: Caller, username: string): Promise<StillAllowed | undefined> {
      await user(caller, username)
      return caller.kind === "admin" ? undefined : () => user(caller, username)
    },

    /** The admin, or the user with this id. */
    id: (caller: Caller, id: number) => demand(caller, () => owners.ofId(id)),

    /** The admin, or a user of this database. */
    database: (caller: Caller, database: string) => demand(caller, () => owners.ofDatabase(database)),

    /** The admin, or the user with this id, in their own database. */
    async writer(caller: Caller, id: number, database: string): Promise<void> {
      const found = caller.kind === "user" ? await owners.ofId(id) : []
      await demand(caller, () => Promise.resolve(found))
      if (caller.kind === "user" && found.every((owner) => owner.database_name !== database)) throw notYours()
    },

    /** Who may see a private table: also with an OAuth token of its owner (CDB-9). */
    async reader(caller: Caller, owner: number): Promise<void> {
      if (caller.kind === "user" && caller.bearer !== undefined) {
        const token = await tokens.find(caller.bearer)
        if (token?.user_id === owner) return
        if (token !== undefined && caller.apiKey === undefined) throw notYours()
      }
      await demand(caller, () => owners.ofId(owner))
    },
  }
}

export type Access = ReturnType<typeof access>
