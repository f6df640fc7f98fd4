/* Tokens: a first one from SaaS management, then pairs, each refresh token good for one
 * exchange. The map says where a token really is, and with that whose request it is. */

import { randomBytes, randomUUID } from "node:crypto"
import { SchemaError, Undecodable, WrongType } from "keywright"
import { instant, successions, type Arrival } from "../../platform/http/arrival.ts"
import { errorFields } from "../../platform/log.ts"
import type { MessagingContext } from "../context.ts"
import {
  account as accountCodec,
  serviceCode,
  tenant as tenantCodec,
  token as tokenCodec,
  tokenKey,
  user as userCodec,
} from "../ids.ts"
import type { Db } from "./homes.ts"
import type { NewsService } from "./live/news.ts"
import { badToken, corruptToken, notYourProject, revoking } from "./refusals.ts"
import type { Principal, Scope } from "./scope.ts"

export interface Grant {
  readonly tenant: string
  readonly account: string
  readonly project: string
  readonly service: "push" | "roc" | "sms"
  readonly user: string
}
type TokenKey = ReturnType<ReturnType<typeof tokenKey>["decode"]>

const PAGE = 200
/** Begins with the mark of its home: of 256 random bits, 244 are left at least. */
const newToken = (mark = ""): string => mark + randomBytes(32).toString("base64url").slice(mark.length)
/** Refresh tokens of one login have the same prefix: a spent one still says which login it belonged to. */
const newFamily = (mark: string): string => mark + randomBytes(16).toString("base64url").slice(mark.length)
const familyOf = (refresh: string): string => refresh.slice(0, 22)
const successorOf = (refresh: string): string => familyOf(refresh) + newToken()
const isToken = (text: string): boolean => /^[\w-]{20,128}$/.test(text)

/** How long a family is remembered where refresh tokens do not expire. */
const REMEMBERED_MS = 30 * 86_400_000

export function tokens({ homes, clock, settings, log, team }: MessagingContext, { kept }: Pick<NewsService, "kept">) {
  const onUndecodable = (error: unknown) => log.error("corrupt element", errorFields(error))
  const order = successions(settings.haste, team)
  const { initialRefreshTtl, accessTtl, refreshTtl, statusTtl } = settings

  const isSharded = settings.shards > 0
  const keyCodec = tokenKey(isSharded)

  /** As a text, it is its key without the token. */
  const handleOf = (db: Db, { to, params }: TokenKey) =>
    to === "access" ? db.service.accessToken(params) : db.service.refreshToken(params)

  /** Those of one kind. */
  const paramsOf = (keys: readonly TokenKey[], kind: TokenKey["to"]) =>
    keys.flatMap(({ to, params: { project, service, token } }) => (to === kind ? [{ project, service, token }] : []))

  const corrupt = (code: "undecodable_value" | "wrong_type", key: string) => {
    log.error("corrupt token", { code, key })
    return corruptToken(code, key)
  }

  /** What the map says of a token; undefined when that is not the key of a token. */
  const mapped = async (db: Db, token: string): Promise<TokenKey | undefined> => {
    try {
      return await db.tokenKeys().get(token)
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error
      onUndecodable(error)
      return undefined
    }
  }

  /** On a cluster in two round trips: a script there is given the keys that it touches. */
  const readToken = async (db: Db, token: string) => {
    const key = await mapped(db, token)
    if (key?.params.token !== token) return undefined
    const [refreshToken, accessToken] = [paramsOf([key], "refresh"), paramsOf([key], "access")]
    return db.$steps.readToken({ refreshToken, accessToken, token })
  }

  const lookUp = async (db: Db, token: string) => {
    try {
      return isSharded ? await readToken(db, token) : await db.$steps.lookUp({ token })
    } catch (error) {
      if (!(error instanceof WrongType) || error.key !== undefined) throw error
      const key = await mapped(db, token)
      if (key === undefined) return undefined
      throw corrupt("wrong_type", String(handleOf(db, key)))
    }
  }

  /** Where the map says that a token is; undefined when this token cannot be there. */
  const placeOf = (db: Db, token: string, text: string): TokenKey | undefined => {
    try {
      const key = keyCodec.decode(text)
      if (key.params.token === token && homes.of(key.params) === db) return key
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
    }
    log.error("corrupt element", { pattern: db.tokenKeys.pattern })
    return undefined
  }

  /** What a token of this kind says; undefined when there is none. */
  const find = async (token: string, to: TokenKey["to"]) => {
    const db = isToken(token) ? homes.ofToken(token) : undefined
    const found = db && (await lookUp(db, token))
    if (db === undefined || found === undefined) return undefined
    const [place, tenant = "", account = "", service = "", user = "", paired = ""] = found
    const key = placeOf(db, token, place)
    if (key?.to !== to) return undefined
    try {
      return {
        key,
        tenant: tenantCodec.decode(tenant),
        account: accountCodec.decode(account),
        code: serviceCode.decode(service),
        user: userCodec.decode(user),
        paired: paired === "" ? undefined : tokenCodec.decode(paired),
      }
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      throw corrupt("undecodable_value", String(handleOf(db, key)))
    }
  }

  /** A page of the map by user; corrupt entries belong to nobody. */
  const byUser = async (db: Db, page: readonly TokenKey[]): Promise<Map<string | undefined, TokenKey[]>> => {
    const isCorrupt = new Set<number>()
    const grants = await db.$getMany(
      page.map((key) => handleOf(db, key)),
      {
        onUndecodable: (error, place) => {
          onUndecodable(error)
          isCorrupt.add(place)
        },
      },
    )
    const found = new Map<string | undefined, TokenKey[]>()
    for (const [i, grant] of grants.entries()) {
      if (grant === undefined && !isCorrupt.has(i)) continue
      found.set(grant?.user, [...(found.get(grant?.user) ?? []), page[i]!])
    }
    return found
  }

  /** Ends tokens that belong to nobody, of any kind. */
  const discard = async (db: Db, keys: readonly TokenKey[]): Promise<number> => {
    await db.$multi((db) => [
      ...keys.flatMap(({ params }) => [
        db.service.accessToken(params).delete(),
        db.service.refreshToken(params).delete(),
      ]),
      db.tokenKeys().remove(...keys.map(({ params }) => params.token)),
    ])
    return keys.length
  }

  const revoke = async (scope: Scope, user: string, access: readonly string[], refresh: readonly string[]) => {
    const { project, service } = scope
    const db = homes.of(scope)
    const each = (list: readonly string[]) => list.map((token) => ({ token }))
    const families = [...new Set(refresh.map(familyOf))]
    const revoked = await db.$steps.revoke({
      project,
      service,
      user,
      member: user,
      refreshToken: each(refresh),
      accessToken: each(access),
      pairedRefresh: each(access),
      refresh,
      access,
      ...kept,
    })
    if (families.length > 0) await db.$multi((db) => families.map((family) => db.tokenFamily({ family }).delete()))
    return revoked
  }

  /** Whose a project is, from its first token on: tenants do not meet in one scope. */
  const claim = async ({ project, tenant }: Grant): Promise<void> => {
    const [, owner] = await homes
      .ofProject(project)
      .$multi((db) => [db.tenantOfProject().setIfAbsent(project, tenant), db.tenantOfProject().get(project)])
    if (owner !== tenant) throw notYourProject()
  }

  /**
   * A refresh token that no longer exists. If its successor was issued before this request was sent, two parties have
   * it: the tokens derived from it end. Meanwhile none of the user's tokens is exchanged, so that none escapes.
   */
  const endFamilyOf = async (spent: string, arrival: Arrival): Promise<void> => {
    const family = homes.ofToken(spent)?.tokenFamily({ family: familyOf(spent) })
    const latest = await family?.get()
    if (family === undefined || latest === undefined || latest.refresh === spent) return
    if (!order.isReplay(familyOf(spent), latest.at, arrival)) return
    const found = (await find(latest.refresh, "refresh")) ?? (await find(latest.access, "access"))
    if (found === undefined) return
    const { project, service } = found.key.params
    const barrier = homes.of({ project, service }).revokingUser({ project, service, user: found.user })
    const by = randomUUID()
    await barrier.add(by)
    try {
      const { access, refresh } = (await family.get()) ?? latest
      await revoke({ project, service }, found.user, [access], [refresh])
    } finally {
      await barrier.remove(by)
    }
  }

  const sweepAll = async (db: Db, signal: AbortSignal): Promise<number> => {
    let [cursor, removed] = ["0", 0]
    do {
      const [next, count] = await db.$steps.sweepTokens({ cursor, count: PAGE })
      cursor = next
      removed += count
    } while (cursor !== "0" && !signal.aborted)
    return removed
  }

  /** The same where a step is given all keys. */
  const sweepShard = async (db: Db, signal: AbortSignal): Promise<number> => {
    let removed = 0
    let page: TokenKey[] = []
    const drop = async (keys: readonly TokenKey[]) => {
      const [refreshToken, accessToken] = [paramsOf(keys, "refresh"), paramsOf(keys, "access")]
      const texts = (of: readonly { readonly token: string }[]) => of.map(({ token }) => token)
      const given = { refreshToken, accessToken, refresh: texts(refreshToken), access: texts(accessToken) }
      removed += await db.$steps.dropTokens(given)
    }
    for await (const [, key] of db.tokenKeys().entries({ onUndecodable })) {
      if (signal.aborted) return removed
      page.push(key)
      if (page.length >= PAGE) await drop(page.splice(0))
    }
    if (page.length > 0) await drop(page)
    return removed
  }

  return {
    /** The first refresh token of a user (MSG-1). */
    async issue(serviceId: string, grant: Grant): Promise<{ refreshToken: string; expiresIn: number }> {
      await claim(grant)
      const scope = { project: grant.project, service: serviceId }
      const token = newFamily(homes.markOf(scope)) + newToken()
      const home = homes.of(scope)
      const params = { ...homes.tagOf(home), ...scope, token }
      await home.$multi((db) => [
        db.service.refreshToken({ ...scope, token }).replace(grant, { ttl: `${initialRefreshTtl}s` }),
        db.tokenKeys().set(token, { to: "refresh", params }),
      ])
      return { refreshToken: token, expiresIn: initialRefreshTtl }
    },

    /** A refresh token for a new pair, once; that is a login (MSG-2, MSG-3, MSG-8). */
    async exchange(
      old: string,
      arrival: Arrival,
    ): Promise<{ refreshToken: string; accessToken: string; expiresIn: number }> {
      const found = await find(old, "refresh")
      if (found === undefined) {
        if (isToken(old) && old.length > familyOf(old).length) await endFamilyOf(old, arrival)
        throw badToken()
      }
      const { user, paired: oldAccess } = found
      const [refresh, access] = [successorOf(old), newToken(homes.markOf(found.key.params))]
      const accesses = [{ token: access }, ...(oldAccess === undefined ? [] : [{ token: oldAccess }])]
      const { project, service } = found.key.params
      const outcome = await homes.of(found.key.params).$steps.exchange({
        project,
        service,
        user,
        family: familyOf(old),
        member: user,
        refreshToken: [{ token: old }, { token: refresh }],
        accessToken: accesses,
        pairedRefresh: accesses,
        old,
        refresh,
        access,
        oldAccess: oldAccess ?? "",
        refreshMs: refreshTtl * 1000,
        accessMs: accessTtl * 1000,
        statusMs: statusTtl * 1000,
        familyMs: refreshTtl === 0 ? REMEMBERED_MS : refreshTtl * 1000,
        at: clock.now().toISOString(),
        ...kept,
        instant: instant(),
      })
      if (outcome < 0) throw revoking()
      if (outcome === 0) throw badToken()
      await order.spent(familyOf(old), arrival)
      return { refreshToken: refresh, accessToken: access, expiresIn: accessTtl }
    },

    /** Whose request it is (MSG-4): one round trip. */
    async authenticate(token: string): Promise<Principal> {
      const found = await find(token, "access")
      if (found === undefined) throw badToken()
      const { key, tenant, account, code, user } = found
      const { project, service } = key.params
      return { project, service, tenant, account, code, user, token }
    },

    /** Whole seconds that an access token lives on. */
    async secondsLeft({ project, service, token }: Principal): Promise<number> {
      const home = homes.of({ project, service })
      const left = await home.service.accessToken({ project, service, token }).ttl()
      if (left === "missing") throw badToken()
      return left === "never" ? -1 : Math.ceil(left / 1000)
    },

    /** Logout: both tokens go, and the user is offline (MSG-5, MSG-9). */
    async end({ token, user, ...scope }: Principal): Promise<void> {
      const refresh = await homes.of(scope).pairedRefresh({ token }).get()
      const revoked = await revoke(scope, user, [token], refresh === undefined ? [] : [refresh])
      if (revoked === 0) throw badToken()
    },

    /**
     * All tokens of a service, or of one user there (MSG-5): how many. Without a user, those that are corrupt go too.
     * Meanwhile none of them is exchanged: the new ones could be where the scan of the map has been.
     */
    async revokeAll({ project, service }: Scope, user: string | undefined): Promise<number> {
      const by = randomUUID()
      const db = homes.of({ project, service })
      const barrier =
        user === undefined ? db.revoking({ project, service }) : db.revokingUser({ project, service, user })
      let revoked = 0
      const handle = async (page: readonly TokenKey[]) => {
        await barrier.add(by)
        for (const [owner, keys] of await byUser(db, page)) {
          if (user !== undefined && owner !== user) continue
          const tokensTo = (kind: TokenKey["to"]) =>
            keys.filter(({ to }) => to === kind).map(({ params }) => params.token)
          revoked +=
            owner === undefined
              ? await discard(db, keys)
              : await revoke({ project, service }, owner, tokensTo("access"), tokensTo("refresh"))
        }
      }
      await barrier.add(by)
      try {
        let page: TokenKey[] = []
        for await (const [, key] of db.tokenKeys().entries({ onUndecodable })) {
          if (key.params.project !== project || key.params.service !== service) continue
          page.push(key)
          if (page.length >= PAGE) await handle(page.splice(0))
        }
        await handle(page)
      } finally {
        await barrier.remove(by)
      }
      return revoked
    },

    /** Removes the map fields of tokens that have expired (MSG-6): how many. */
    async sweep(signal: AbortSignal): Promise<number> {
      let removed = 0
      for (const home of homes.all) {
        if (signal.aborted) break
        removed += isSharded ? await sweepShard(home, signal) : await sweepAll(home, signal)
      }
      return removed
    },

    async count(): Promise<number> {
      const sizes = await Promise.all(homes.all.map((home) => home.tokenKeys().size()))
      return sizes.reduce((sum, size) => sum + size, 0)
    },
  }
}

export type Tokens = ReturnType<typeof tokens>
