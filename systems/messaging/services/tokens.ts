/* Tokens: a first one from SaaS management, then pairs, each refresh token good for one
 * exchange. The map says where a token really is, and with that whose request it is. */

import { randomBytes, randomUUID } from "node:crypto"
import { SchemaError, Undecodable, WrongType } from "keywright"
import { instant, successions, type Arrival } from "../../platform/http/arrival.ts"
import { corruptKey } from "../../platform/http/problem.ts"
import { inBatches } from "../../platform/in-batches.ts"
import type { MessagingContext } from "../context.ts"
import {
  account as accountCodec,
  serviceCode,
  tenant as tenantCodec,
  token as tokenCodec,
  tokenKey,
  user as userCodec,
} from "../ids.ts"
import { homeOfToken, homeOfUser } from "./homes.ts"
import { knownTokens } from "./known-tokens.ts"
import type { Relay } from "./live/relay.ts"
import { familyOf, firstRefreshToken, successorOf } from "./refresh-tokens.ts"
import { badToken, notYourProject, revoking } from "./refusals.ts"
import type { Principal, Scope } from "./scope.ts"
import { PAGE, paramsOf, sumOf, type TokenKey, tokenSweeps } from "./token-sweeps.ts"

export interface Grant {
  readonly tenant: string
  readonly account: string
  readonly project: string
  readonly service: "push" | "roc" | "sms"
  readonly user: string
}

/** Begins with the home of its user; 256 random bits follow. */
const newAccessToken = (home: string): string => home + randomBytes(32).toString("base64url")
const isToken = (text: string): boolean => /^[\w-]{20,128}$/.test(text)

/** How long a family is remembered where refresh tokens do not expire. */
const REMEMBERED_MS = 30 * 86_400_000

export function tokens({ db, homes, clock, settings, log, lenient, team }: MessagingContext, relay: Relay) {
  const { kept } = relay
  const order = successions(settings.haste, team)
  const { initialRefreshTtl, accessTtl, refreshTtl, statusTtl } = settings

  const keyCodec = tokenKey()
  const known = knownTokens(homes)
  const sweeps = tokenSweeps({ db, homes, log, lenient })

  /** As a text, it is its key without the token. */
  const handleOf = (home: string, { to, params }: TokenKey) =>
    to === "access" ? homes.people(home).accessToken(params) : homes.people(home).refreshToken(params)

  /** What is stored for a token is not a grant. Its key is named without the token (ALL-11, MSG-7). */
  const corrupt = (code: "undecodable_value" | "wrong_type", key: string) => {
    log.error("corrupt token", { code, key })
    return corruptKey(code, key)
  }

  /** What the map says about a token; undefined when that is not the key of a token. */
  const mapped = async (home: string, token: string): Promise<TokenKey | undefined> => {
    try {
      return await homes.people(home).tokenKeys().get(token)
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error
      lenient.onUndecodable(error)
      return undefined
    }
  }

  /** On a cluster in two round trips: a script there is given the keys that it touches. */
  const readToken = async (home: string, token: string) => {
    const key = await mapped(home, token)
    if (key?.params.token !== token) return undefined
    const [refreshToken, accessToken] = [paramsOf([key], "refresh"), paramsOf([key], "access")]
    return db.$steps.readToken({ home, refreshToken, accessToken, token })
  }

  const lookUp = async (home: string, token: string) => {
    try {
      return homes.isSharded ? await readToken(home, token) : await db.$steps.lookUp({ home, token })
    } catch (error) {
      if (!(error instanceof WrongType) || error.key !== undefined) throw error
      const key = await mapped(home, token)
      if (key === undefined) return undefined
      throw corrupt("wrong_type", String(handleOf(home, key)))
    }
  }

  /** Where the map says that a token is; undefined when this token cannot be there. */
  const placeOf = (token: string, text: string): TokenKey | undefined => {
    try {
      const key = keyCodec.decode(text)
      if (key.params.token === token) return key
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
    }
    log.error("corrupt element", { pattern: db.people.tokenKeys.pattern })
    return undefined
  }

  /** Whether a token is where its user is: one that was made elsewhere would be in two shards. */
  const isAtHome = (token: string, scope: Scope, user: string): boolean =>
    !homes.isSharded || homes.shardOf(homeOfToken(token)) === homes.shardOf(homeOfUser(scope, user))

  /** What a token of this kind says; undefined when there is none. */
  const find = async (token: string, to: TokenKey["to"]) => {
    const home = isToken(token) ? homes.ofToken(token) : undefined
    if (home === undefined) return undefined
    const again = to === "access" ? await known.find(home, token) : undefined
    if (again !== undefined) return again
    const found = await lookUp(home, token)
    if (found === undefined) return undefined
    const [place, tenant = "", account = "", service = "", user = "", paired = ""] = found
    const key = placeOf(token, place)
    if (key?.to !== to) return undefined
    try {
      const said = {
        key,
        tenant: tenantCodec.decode(tenant),
        account: accountCodec.decode(account),
        code: serviceCode.decode(service),
        user: userCodec.decode(user),
        paired: paired === "" ? undefined : tokenCodec.decode(paired),
      }
      if (isAtHome(token, key.params, said.user)) {
        if (to === "access") known.add(token, key)
        return said
      }
      log.error("corrupt token", { code: "other_shard", key: String(handleOf(home, key)) })
      return undefined
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      throw corrupt("undecodable_value", String(handleOf(home, key)))
    }
  }

  /** A page of the map by user; corrupt entries belong to nobody. */
  const byUser = async (home: string, page: readonly TokenKey[]): Promise<Map<string | undefined, TokenKey[]>> => {
    const isCorrupt = new Set<number>()
    const grants = await db.$getMany(
      page.map((key) => handleOf(home, key)),
      {
        onUndecodable: (error, place) => {
          lenient.onUndecodable(error)
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
  const discard = async (home: string, keys: readonly TokenKey[]): Promise<number> => {
    await db.$multi((db) => {
      const people = db.people({ home })
      return [
        ...keys.flatMap(({ params }) => [people.accessToken(params).delete(), people.refreshToken(params).delete()]),
        people.tokenKeys().remove(...keys.map(({ params }) => params.token)),
      ]
    })
    return keys.length
  }

  const revoke = async (scope: Scope, user: string, access: readonly string[], refresh: readonly string[]) => {
    const { project, service } = scope
    const home = homeOfUser(scope, user)
    const each = (list: readonly string[]) => list.map((token) => ({ token }))
    const families = new Set(refresh.flatMap((token) => familyOf(token) ?? []))
    const revoked = await db.$steps.revoke({
      home,
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
    // Where nothing was left to revoke, they were exchanged meanwhile: the family is that of the new ones.
    if (revoked === 0) return 0
    if (families.size > 0)
      await db.$multi((db) => [...families].map((family) => db.people({ home }).tokenFamily({ family }).delete()))
    await relay.of(scope, user)
    return revoked
  }

  /** Whose a project is, from its first token on: tenants do not meet in one scope. */
  const claim = async ({ project, tenant }: Grant): Promise<void> => {
    const [, owner] = await db.$multi((db) => {
      const tenants = db.projects({ project }).tenantOfProject()
      return [tenants.setIfAbsent(project, tenant), tenants.get(project)]
    })
    if (owner !== tenant) throw notYourProject()
  }

  /**
   * A refresh token that no longer exists. If its successor was issued before this request was sent, two parties have
   * it: the tokens derived from it end. Meanwhile none of the user's tokens is exchanged, so that none escapes.
   */
  const endFamilyOf = async (spent: string, arrival: Arrival): Promise<void> => {
    const [home, name] = [homes.ofToken(spent), familyOf(spent)]
    if (home === undefined || name === undefined) return
    const family = db.people({ home }).tokenFamily({ family: name })
    const latest = await family.get()
    if (latest === undefined || latest.refresh === spent) return
    if (!order.isReplay(name, latest.at, arrival)) return
    const found = (await find(latest.refresh, "refresh")) ?? (await find(latest.access, "access"))
    if (found === undefined) return
    const { project, service } = found.key.params
    const barrier = homes.person({ project, service }, found.user).revokingUser({ project, service, user: found.user })
    const by = randomUUID()
    await barrier.add(by)
    try {
      const { access, refresh } = (await family.get()) ?? latest
      await revoke({ project, service }, found.user, [access], [refresh])
    } finally {
      await barrier.remove(by)
    }
  }

  /** Those of one shard. */
  const revokeShard = async (home: string, scope: Scope, user: string | undefined): Promise<number> => {
    const { project, service } = scope
    const by = randomUUID()
    const people = db.people({ home })
    const barrier =
      user === undefined ? people.revoking({ project, service }) : people.revokingUser({ project, service, user })
    const ofService = async function* () {
      for await (const key of sweeps.keysIn(home))
        if (key.params.project === project && key.params.service === service) yield key
    }
    let revoked = 0
    const handle = async (page: readonly TokenKey[]) => {
      await barrier.add(by)
      for (const [owner, keys] of await byUser(home, page)) {
        if (user !== undefined && owner !== user) continue
        const isWhole = owner !== undefined && homes.shardOf(homeOfUser(scope, owner)) === homes.shardOf(home)
        const tokensTo = (kind: TokenKey["to"]) =>
          keys.filter(({ to }) => to === kind).map(({ params }) => params.token)
        revoked += isWhole
          ? await revoke(scope, owner, tokensTo("access"), tokensTo("refresh"))
          : await discard(home, keys)
      }
    }
    await barrier.add(by)
    try {
      for await (const page of inBatches(ofService(), PAGE)) await handle(page)
    } finally {
      await barrier.remove(by)
    }
    return revoked
  }

  return {
    /** The first refresh token of a user (MSG-1). */
    async issue(serviceId: string, grant: Grant): Promise<{ refreshToken: string; expiresIn: number }> {
      await claim(grant)
      const scope = { project: grant.project, service: serviceId }
      const home = homeOfUser(scope, grant.user)
      const token = firstRefreshToken(home)
      const params = { token, ...scope }
      await db.$multi((db) => [
        db
          .people({ home })
          .refreshToken(params)
          .replace(grant, { ttl: `${initialRefreshTtl}s` }),
        db.people({ home }).tokenKeys().set(token, { to: "refresh", params }),
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
        if (isToken(old)) await endFamilyOf(old, arrival)
        throw badToken()
      }
      const { user, paired: oldAccess } = found
      const { project, service } = found.key.params
      const home = homeOfUser(found.key.params, user)
      const [refresh, access] = [successorOf(old, home), newAccessToken(home)]
      const family = familyOf(refresh)!
      const accesses = [{ token: access }, ...(oldAccess === undefined ? [] : [{ token: oldAccess }])]
      const outcome = await db.$steps.exchange({
        home,
        project,
        service,
        user,
        family,
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
      await relay.of({ project, service }, user)
      await order.spent(family, arrival)
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
    async secondsLeft({ project, service, user, token }: Principal): Promise<number> {
      const left = await homes.person({ project, service }, user).accessToken({ project, service, token }).ttl()
      if (left === "missing") throw badToken()
      return left === "never" ? -1 : Math.ceil(left / 1000)
    },

    /** Logout: both tokens go, and the user is offline (MSG-5, MSG-9). */
    async end({ token, user, ...scope }: Principal): Promise<void> {
      const refresh = await homes.person(scope, user).pairedRefresh({ token }).get()
      const revoked = await revoke(scope, user, [token], refresh === undefined ? [] : [refresh])
      if (revoked === 0) throw badToken()
    },

    /**
     * All tokens of a service, or of one user there (MSG-5): how many. Without a user, those that are corrupt go too.
     * Meanwhile none of a shard's is exchanged: the new ones could be where the scan of its map has been.
     */
    async revokeAll(scope: Scope, user: string | undefined): Promise<number> {
      if (user !== undefined) return revokeShard(homeOfUser(scope, user), scope, user)
      return sumOf(await homes.inEach((home) => revokeShard(home, scope, undefined)))
    },

    sweep: sweeps.sweep,

    count: (): Promise<number> => db.people.merged.tokenKeys().size(),
  }
}

export type Tokens = ReturnType<typeof tokens>
