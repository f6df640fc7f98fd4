/* Tokens: a first one from SaaS management, then pairs, each refresh token good for one
 * exchange. The map says where a token really is, and with that whose request it is. */

import { randomBytes } from "node:crypto"
import { SchemaError } from "keywright"
import { errorFields } from "../../platform/log.ts"
import type { MessagingContext } from "../context.ts"
import {
  account as accountCodec,
  serviceCode,
  tenant as tenantCodec,
  type tokenKey,
  user as userCodec,
} from "../ids.ts"
import { badToken, corruptToken } from "./refusals.ts"
import type { Principal, Scope } from "./scope.ts"

export interface Grant {
  readonly tenant: string
  readonly account: string
  readonly project: string
  readonly service: "push" | "roc" | "sms"
  readonly user: string
}
type TokenKey = ReturnType<typeof tokenKey.decode>

const PAGE = 200
const newToken = (): string => randomBytes(32).toString("base64url")
const isToken = (text: string): boolean => /^[\w-]{20,128}$/.test(text)

export function tokens({ db, clock, settings, log }: MessagingContext) {
  const onUndecodable = (error: unknown) => log.error("corrupt element", errorFields(error))
  const { initialRefreshTtl, accessTtl, refreshTtl, statusTtl } = settings

  /** What a token says; undefined when there is none. */
  const find = async (token: string) => {
    const found = isToken(token) ? await db.$steps.lookUp({ token }) : undefined
    if (found === undefined) return undefined
    const [key, tenant = "", account = "", service = "", user = "", paired = ""] = found
    try {
      return {
        key,
        tenant: tenantCodec.decode(tenant),
        account: accountCodec.decode(account),
        code: serviceCode.decode(service),
        user: userCodec.decode(user),
        paired,
      }
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      const { pattern } = key.to === "access" ? db.service.accessToken : db.service.refreshToken
      log.error("corrupt token", { pattern })
      throw corruptToken(pattern)
    }
  }

  /** Of a page of the map, what belongs to a service, by user. */
  const byUser = async (page: readonly TokenKey[], user: string | undefined): Promise<Map<string, TokenKey[]>> => {
    const owners = await db.$batch((db) =>
      page.map(({ to, params }) =>
        to === "access" ? db.service.accessToken(params).get("user") : db.service.refreshToken(params).get("user"),
      ),
    )
    const found = new Map<string, TokenKey[]>()
    for (const [i, owner] of owners.entries()) {
      if (owner === undefined || (user !== undefined && owner !== user)) continue
      found.set(owner, [...(found.get(owner) ?? []), page[i]!])
    }
    return found
  }

  const revoke = (scope: Scope, user: string, access: readonly string[], refresh: readonly string[]) => {
    const { project, service } = scope
    const each = (list: readonly string[]) => list.map((token) => ({ token }))
    return db.$steps.revoke({
      project,
      service,
      user,
      member: user,
      refreshToken: each(refresh),
      accessToken: each(access),
      pairedRefresh: each(access),
      refresh,
      access,
    })
  }

  return {
    /** The first refresh token of a user (MSG-1). */
    async issue(serviceId: string, grant: Grant): Promise<{ refreshToken: string; expiresIn: number }> {
      const token = newToken()
      const params = { project: grant.project, service: serviceId, token }
      await db.$multi((db) => [
        db.service.refreshToken(params).replace(grant, { ttl: `${initialRefreshTtl}s` }),
        db.tokenKeys().set(token, { to: "refresh", params }),
      ])
      return { refreshToken: token, expiresIn: initialRefreshTtl }
    },

    /** A refresh token for a new pair, once; that is a login (MSG-2, MSG-3, MSG-8). */
    async exchange(old: string): Promise<{ refreshToken: string; accessToken: string; expiresIn: number }> {
      const found = await find(old)
      if (found?.key.to !== "refresh") throw badToken()
      const [refresh, access] = [newToken(), newToken()]
      const { user, paired: oldAccess } = found
      const accesses = [{ token: access }, ...(oldAccess === "" ? [] : [{ token: oldAccess }])]
      const { project, service } = found.key.params
      const isDone = await db.$steps.exchange({
        project,
        service,
        user,
        member: user,
        refreshToken: [{ token: old }, { token: refresh }],
        accessToken: accesses,
        pairedRefresh: accesses,
        old,
        refresh,
        access,
        oldAccess,
        refreshMs: refreshTtl * 1000,
        accessMs: accessTtl * 1000,
        statusMs: statusTtl * 1000,
        at: clock.now().toISOString(),
      })
      if (!isDone) throw badToken()
      return { refreshToken: refresh, accessToken: access, expiresIn: accessTtl }
    },

    /** Whose request it is (MSG-4): one round trip. */
    async authenticate(token: string): Promise<Principal> {
      const found = await find(token)
      if (found?.key.to !== "access") throw badToken()
      const { key, tenant, account, code, user } = found
      const { project, service } = key.params
      return { project, service, tenant, account, code, user, token }
    },

    /** Whole seconds that an access token lives on. */
    async secondsLeft({ project, service, token }: Principal): Promise<number> {
      const left = await db.service.accessToken({ project, service, token }).ttl()
      if (left === "missing") throw badToken()
      return left === "never" ? -1 : Math.ceil(left / 1000)
    },

    /** Logout: both tokens go, and the user is offline (MSG-5, MSG-9). */
    async end({ token, user, ...scope }: Principal): Promise<void> {
      const refresh = await db.pairedRefresh({ token }).get()
      const revoked = await revoke(scope, user, [token], refresh === undefined ? [] : [refresh])
      if (revoked === 0) throw badToken()
    },

    /** All tokens of a service, or of one user there (MSG-5): how many. */
    async revokeAll({ project, service }: Scope, user: string | undefined): Promise<number> {
      let revoked = 0
      const handle = async (page: readonly TokenKey[]) => {
        for (const [owner, keys] of await byUser(page, user)) {
          const tokensTo = (kind: TokenKey["to"]) =>
            keys.filter(({ to }) => to === kind).map(({ params }) => params.token)
          revoked += await revoke({ project, service }, owner, tokensTo("access"), tokensTo("refresh"))
        }
      }
      let page: TokenKey[] = []
      for await (const [, key] of db.tokenKeys().entries({ onUndecodable })) {
        if (key.params.project !== project || key.params.service !== service) continue
        page.push(key)
        if (page.length >= PAGE) await handle(page.splice(0))
      }
      await handle(page)
      return revoked
    },

    /** Removes the map fields of tokens that have expired (MSG-6): how many. */
    async sweep(signal: AbortSignal): Promise<number> {
      let [cursor, removed] = ["0", 0]
      do {
        const [next, count] = await db.$steps.sweepTokens({ cursor, count: PAGE })
        cursor = next
        removed += count
      } while (cursor !== "0" && !signal.aborted)
      return removed
    },

    count: () => db.tokenKeys().size(),
  }
}

export type Tokens = ReturnType<typeof tokens>
