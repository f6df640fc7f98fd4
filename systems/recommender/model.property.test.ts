/* Records and runs by chance, against a model in a few lines: after every run, what is
 * stored is what the model says, key by key. */

import { expect, it } from "vitest"
import { isFull } from "../../test/full.ts"
import { serveForTest } from "../platform/testing/serve.ts"
import { onAnyServer } from "../platform/testing/servers.ts"
import { dump } from "../platform/testing/stored.ts"
import { randomFrom } from "./services/random.ts"
import { addDays } from "../platform/days.ts"
import { BREAK_DAY } from "./services/run/add-posts.ts"
import { date, sourceOf } from "./source.cases.ts"

const RUNS = isFull ? 60 : 3
const STEPS = 90
const SIZE = 3

interface Clg {
  readonly category: number
  readonly is_public: boolean
  readonly duration: number
  readonly finished: string
}
interface Post {
  readonly challenge: number
  readonly user: number
  readonly isBreak: boolean
  readonly day: string
  isDeleted: boolean
}

function newModel() {
  const clgs = new Map<number, Clg>()
  const posts = new Map<number, Post>()
  const unread = {
    clg: [] as number[],
    post: [] as number[],
    reaction: [] as { post: number; user: number; by: 1 | -1 }[],
  }
  const sizes = { clg: 0, mmbr: 0, post: 0, reaction: 0, tracking: 0 }
  const ongoing = new Map<number, Clg>()
  const pool = new Map<number, { readonly added: string; readonly score: number }>()
  const days = new Set<string>()
  const spent = new Map<number, number[]>()
  const liked = new Map<number, Set<number>>()
  const stands = new Map<string, number>()
  const preferred = new Map<number, Map<number, number>>()
  let [last, index] = ["", -1]
  const of = <K, V>(map: Map<K, V>, key: K, none: () => V): V => map.get(key) ?? (map.set(key, none()), map.get(key)!)
  const apart = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

  const readPost = (id: number) => {
    const { challenge, user, isBreak, day } = posts.get(id)!
    const clg = ongoing.get(challenge)
    if (clg === undefined || isBreak) return
    if (clg.is_public) pool.set(id, { added: last, score: index })
    const name = `${user} ${clg.category} ${day}`
    if (!days.has(name)) of(spent, user, () => [0, 0, 0, 0, 0])[clg.category]! += 1
    days.add(name)
  }
  const readReaction = ({ post, user, by }: { post: number; user: number; by: 1 | -1 }) => {
    const name = `${user} ${post}`
    const count = stands.get(name) ?? 0
    if (by === 1 ? !pool.has(post) : count === 0) return
    stands.set(name, count + by)
    if (by === 1) of(liked, user, () => new Set()).add(post)
    const { challenge } = posts.get(post)!
    if (!ongoing.has(challenge) || ongoing.get(challenge)!.finished <= last) return
    const mine = of(preferred, user, () => new Map<number, number>())
    mine.set(challenge, (mine.get(challenge) ?? 0) + by)
    if (mine.get(challenge) === 0) mine.delete(challenge)
  }

  return {
    ...{ clgs, posts, unread, sizes },
    remove(id: number) {
      posts.get(id)!.isDeleted = true
      pool.delete(id)
      unread.post = unread.post.filter((one) => one !== id)
    },
    run(day: string) {
      if (day !== last) index = (index + (last === "" ? 1 : apart(last, day))) % SIZE
      last = day
      for (const [id, { added }] of pool) if (apart(added, day) >= SIZE) pool.delete(id)
      for (const id of unread.clg) ongoing.set(id, clgs.get(id)!)
      unread.post.forEach(readPost)
      unread.reaction.forEach(readReaction)
      Object.assign(unread, { clg: [], post: [], reaction: [] })
      for (const [id, { finished }] of ongoing) {
        if (finished > day) continue
        ongoing.delete(id)
        for (const mine of preferred.values()) mine.delete(id)
      }
    },
    stored() {
      const keys: Record<string, unknown> = {}
      const put = (key: string, type: string, value: object) => {
        if (Object.keys(value).length > 0) keys[key] = { type, expires: false, value }
      }
      const texts = (pairs: Iterable<readonly [number | string, unknown]>) =>
        Object.fromEntries([...pairs].map(([name, value]) => [String(name), String(value)]))
      put(
        "db_len",
        "hash",
        texts(Object.entries({ ...sizes, post: [...posts.values()].filter((post) => !post.isDeleted).length })),
      )
      put(
        "on_clg_info",
        "hash",
        texts(
          [...ongoing].map(([id, { category, is_public, duration, finished }]) => [
            id,
            `${category},${is_public ? 1 : 0},${duration},${finished}`,
          ]),
        ),
      )
      put("user_contribution", "hash", texts(spent))
      put("post_clg_pair", "hash", texts([...pool.keys()].map((id) => [id, posts.get(id)!.challenge])))
      for (let code = 0; code < 5; code++) {
        const mine = [...pool].filter(([id]) => clgs.get(posts.get(id)!.challenge)!.category === code)
        put(`recent_posts_for_category${code + 1}`, "zset", texts(mine.map(([id, { score }]) => [id, score])))
      }
      for (const [user, ids] of liked) put(`${user}_liked_posts`, "set", [...ids].map(String).sort())
      for (const [user, mine] of preferred) put(`${user}_clgs_preference`, "zset", texts(mine))
      return { keys, index: String(index), last }
    },
  }
}

onAnyServer("records and runs by chance", (server) => {
  it.each(Array.from({ length: RUNS }, (_, i) => i))(
    "REC-1 to REC-20: come to what the model says, chance %i",
    async (n) => {
      const random = randomFrom(`model ${n}`)
      const pick = <T>(all: readonly T[]) => all[random.below(all.length)]!
      const served = await serveForTest(server(), "recommender", "--set", `recommender.batch=${1 + random.below(5)}`)
      const source = sourceOf(() => served)
      const model = newModel()
      const members: (readonly [number, number])[] = []
      let day = 1

      const addChallenge = async () => {
        const clg = { category: random.below(5), is_public: random.below(4) > 0, duration: 1 + random.below(9) }
        const id = await source.challenge({ ...clg, created: `${date(day)}T00:00:00Z` })
        model.clgs.set(id, { ...clg, finished: addDays(date(day), clg.duration) })
        model.unread.clg.push(id)
        model.sizes.clg += 1
        for (const user of [5, 6]) {
          await source.member(id, user)
          members.push([id, user])
          model.sizes.mmbr += 1
        }
      }
      const addPost = async () => {
        const [challenge, user] = pick(members)
        const [isBreak, on] = [random.below(5) === 0, date(Math.max(1, day - random.below(3)))]
        const id = await source.post(challenge, user, {
          created: `${on}T12:00:00Z`,
          ...(isBreak && { text: BREAK_DAY }),
        })
        model.posts.set(id, { challenge, user, isBreak, day: on, isDeleted: false })
        model.unread.post.push(id)
      }
      const livePosts = () => [...model.posts].flatMap(([id, { isDeleted }]) => (isDeleted ? [] : [id]))
      const addReaction = async () => {
        const [post, user, by] = [pick(livePosts()), pick([8, 9]), random.below(3) === 0 ? -1 : 1] as const
        await (by === 1 ? source.react(post, user) : source.cancel(post, user))
        model.unread.reaction.push({ post, user, by })
        model.sizes.reaction += 1
      }
      const removePost = async () => {
        const id = pick(livePosts())
        expect((await served.admin(`DELETE /posts/${id}`)).status).toBe(204)
        model.remove(id)
      }
      const run = async () => {
        day += pick([0, 0, 1, 1, 1, 2, 5])
        await source.nightly(day)
        model.run(date(day))
        const { rs_param, ...keys } = (await dump(server().raw)) as Record<string, { value: Record<string, string> }>
        const expected = model.stored()
        expect(keys).toEqual(expected.keys)
        expect([rs_param!.value["day_index"], rs_param!.value["last_run_date"]]).toEqual([
          expected.index,
          expected.last,
        ])
      }

      try {
        await served.admin("PUT /params", { max_post_age: SIZE })
        await addChallenge()
        for (let i = 0; i < STEPS; i++) {
          const what = random.below(20)
          if (what === 0) await addChallenge()
          else if (what < 8 || livePosts().length === 0) await addPost()
          else if (what < 15) await addReaction()
          else if (what === 15) await removePost()
          else if (what === 16) model.sizes.tracking += (await source.track(5)) > 0 ? 1 : 0
          else await run()
        }
        await run()
      } finally {
        await served.close()
      }
    },
  )
})
