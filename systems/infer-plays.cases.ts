/* What the demonstration's people leave out: every route that makes keys of a pattern
 * which nothing else makes, used as somebody would use it. */

import type { Caller } from "./demo/caller.ts"
import { MAKERS } from "./demo/carto.ts"
import { NAMES } from "./demo/people.ts"
import type { Random } from "./demo/random.ts"

const times = async (n: number, act: (i: number) => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < n; i++) await act(i)
}

// ── shop ─────────────────────────────────────────────────────────────────────

/** Rows are copied, and everybody looks at pages. */
export async function shoppers({ call, admin }: Caller): Promise<void> {
  await admin("POST /jobs/rows/run")
  await times(12, (i) => call(`GET /pages?item=${200 + i}&size=${i}`))
}

// ── carto ────────────────────────────────────────────────────────────────────

const TABLES = ["routes", "parks", "stations", "rivers", "trees", "bus_stops", "districts", "shops", "museums", "lakes"]
const GEOMETRIES = ["point", "polygon", "multilinestring"]
const QUERIES = ["select * from parks", "insert into parks values (1)", "update parks set a = 1", "delete from parks"]

/** From several addresses: tables, queries, map views, tokens, a dashboard, and the job of the day. */
export async function mapsOfADay(url: string, adminToken: string, random: Random): Promise<void> {
  const request = async (line: string, body?: unknown) => {
    const [method, path] = line.split(" ") as [string, string]
    const headers = {
      authorization: `Bearer ${adminToken}`,
      "x-forwarded-for": `85.223.${random.below(4)}.${1 + random.below(250)}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    }
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${line} was answered with ${answer.status}: ${await answer.text()}`)
  }
  for (const [i, maker] of MAKERS.entries()) {
    const id = 100 + i
    const metadata = { infowindow: "id, name", privacy: random.below(2), user_id: id }
    for (const table of random.some(TABLES, 2))
      await request(`PUT /tables/cartodb_user_${id}_db/${table}`, {
        ...metadata,
        the_geom_type: random.pick(GEOMETRIES),
      })
    await times(3, () => request("POST /queries", { user_id: id, sql: random.pick(QUERIES), time: 0.25 }))
    await times(3, (n) => request(`POST /users/${maker}/mapviews`, { visualization_id: `b${n}${i}f0` }))
    await request(`POST /users/${maker}/mapviews`, {})
    await request(`POST /users/${maker}/dashboard`)
    if (random.chance(50)) await request("POST /oauth-tokens", { user_id: id })
  }
  await request("POST /jobs/api-calls/run", { force: true })
}

// ── recommender ──────────────────────────────────────────────────────────────

const [CHALLENGES, RUNNERS, NIGHTS] = [14, 24, 10]

/** Challenges, their members' posts and reactions, a run every night; and posts that are gone before the next. */
export async function runners({ admin }: Caller, random: Random, today: string): Promise<void> {
  const dayOf = (nights: number) => new Date(Date.parse(today) - nights * 86_400_000).toISOString().slice(0, 10)
  const made = async (line: string, body: object) => (await admin(line, body))["id"] as number
  const challenges: number[] = []
  await times(CHALLENGES, async (i) => {
    const created = `${dayOf(NIGHTS + 2)}T08:00:00Z`
    const challenge = { category: i % 5, is_public: i % 3 > 0, duration: 14 + 7 * (i % 4), created }
    challenges.push(await made("POST /challenges", challenge))
  })
  const members: { user: number; challenge: number }[] = []
  await times(RUNNERS, async (i) => {
    const user = i + 1
    await admin("POST /trackings", { user })
    for (const challenge of random.some(challenges, 1 + random.below(3))) {
      await admin("POST /members", { challenge, user })
      members.push({ user, challenge })
    }
  })
  const posts: number[] = []
  const post = async (nights: number) => {
    const created = `${dayOf(nights)}T18:00:00Z`
    const id = await made("POST /posts", { ...random.pick(members), text: "Ran five kilometres.", created })
    posts.push(id)
    return id
  }
  for (let night = NIGHTS; night >= 1; night--) {
    await times(20, () => post(night))
    await times(30, () => admin("POST /reactions", { post: random.pick(posts), user: 1 + random.below(RUNNERS) }))
    await admin("POST /jobs/nightly", { date: dayOf(night - 1) })
  }
  await times(6, async () => admin(`DELETE /posts/${await post(0)}`))
}

// ── restaurant ───────────────────────────────────────────────────────────────

const RECEIVER = { receiverName: "A guest", receiverPhone: "0901234567", receiverAddress: "1 Le Loi, Ho Chi Minh City" }

/** Guests who pay through VNPay, some at the second or third attempt, and look at their carts. */
export async function payingGuests({ call }: Caller, boss: { email: string; password: string }): Promise<void> {
  const login = async (username: string, password: string) =>
    (await call("POST /login", { username, password }))["accessToken"] as string
  const guests = await Promise.all(NAMES.slice(0, 8).map((name) => login(`${name}@example.com`, `demo-${name}-2024`)))
  for (const [i, guest] of guests.entries()) {
    await call("POST /cart/add-dish", { dishId: String(1 + i), quantity: 1 }, guest)
    const { orderId } = await call("POST /cart/checkout", { ...RECEIVER, paymentMethod: "VNPAY" }, guest)
    await times(i % 3, () => call(`POST /payment/vnpay/order/${orderId as string}`, undefined, guest))
    await call("POST /cart/add-dish", { dishId: String(1 + i), quantity: 2 }, guest)
  }
  for (const guest of [...guests, await login(boss.email, boss.password)]) await call("GET /cart", undefined, guest)
}

// ── messaging ────────────────────────────────────────────────────────────────

const TEAMS = [
  { tenant: "123", account: "007", project: "456", serviceId: "789", service: "roc" },
  { tenant: "123", account: "008", project: "457", serviceId: "790", service: "roc" },
]
const PEM = "-----BEGIN CERTIFICATE-----\nTUlJRQ==\n-----END CERTIFICATE-----"

/** Channels that are opened, asked for, left and banned; certificates; and who has a first token only. */
export async function messengers({ call, admin }: Caller): Promise<void> {
  for (const [n, team] of TEAMS.entries()) {
    await admin(`PUT /v1/projects/${team.project}/push-credentials`, { apnsCertificate: PEM })
    const members: { id: string; token: string }[] = []
    for (const user of NAMES.slice(n * 10, n * 10 + 10)) {
      const { refreshToken } = await admin("POST /v1/saas/tokens", { ...team, user })
      const { accessToken } = await call("POST /v1/auth/token", { refreshToken })
      members.push({ id: user, token: accessToken as string })
    }
    const member = (i: number) => members[i % members.length]!
    await times(8, (i) => openChannel(call, i, member))
    for (const { token } of members) await call("GET /v1/roc/me", undefined, token)
  }
  for (const team of TEAMS) for (const user of NAMES.slice(0, 3)) await admin("POST /v1/saas/tokens", { ...team, user })
}

/** Its owner invites, others ask; some are let in, one is banned, one wants to hear nothing of it. */
async function openChannel(
  call: Caller["call"],
  at: number,
  member: (i: number) => { readonly id: string; readonly token: string },
): Promise<void> {
  const owner = member(at).token
  const about = { name: `Channel ${at}`, description: "What it is about.", type: at % 2 === 0 ? "private" : "public" }
  const { id } = await call("POST /v1/roc/channels", about, owner)
  const channel = id as string
  const invites: string[] = []
  for (const next of [1, 2, 3]) {
    const made = await call("POST /v1/roc/invites", { channel, invitee: member(at + next).id }, owner)
    invites.push(made["id"] as string)
  }
  await call(`PUT /v1/roc/invites/${invites[0]!}`, { approve: "approved" }, member(at + 1).token)
  await call(`PUT /v1/roc/channels/${channel}/managers/${member(at + 1).id}`, undefined, owner)
  for (const next of [4, 5]) await call("POST /v1/roc/invites", { channel }, member(at + next).token)
  await call(`POST /v1/roc/channels/${channel}/bans`, { subscriber: member(at + 6).id }, owner)
  await call("POST /v1/roc/banned-channels", { channel }, member(at + 7).token)
  await call("POST /v1/roc/banned-contacts", { subscriber: member(at + 8).id }, owner)
  await call("POST /v1/roc/messages", { channel, body: "Welcome!" }, owner)
  await call(`GET /v1/roc/messages?channel=${channel}`, undefined, owner)
}
