/* `--demo`: a few challenges and people, a week of posts and reactions, and a run for each
 * day of it. The same every time; nothing is added where there is something already. */

import type { RecommenderContext } from "./context.ts"
import type { Nightly } from "./services/nightly.ts"
import { randomFrom } from "./services/random.ts"
import type { Records } from "./services/records.ts"
import { BREAK_DAY } from "./services/run/add-posts.ts"
import { addDays } from "../platform/days.ts"

const CHALLENGES = [
  { category: 0, is_public: true, duration: 21 },
  { category: 1, is_public: true, duration: 30 },
  { category: 2, is_public: true, duration: 100 },
  { category: 3, is_public: false, duration: 21 },
  { category: 4, is_public: true, duration: 14 },
]
const USERS = 12
const DAYS = 5

export async function fillDemo({ source }: RecommenderContext, records: Records, nightly: Nightly): Promise<void> {
  const known = await source.ask((sql) => sql.selectFrom("recommender_clg").select("id").limit(1).executeTakeFirst())
  if (known) return
  const random = randomFrom("demo")
  const at = (day: number) => new Date(`${addDays(nightly.today(), day - DAYS)}T12:00:00Z`)
  const challenges: number[] = []
  const members: (readonly [user: number, challenge: number])[] = []
  const posts: number[] = []
  for (const challenge of CHALLENGES) challenges.push(await records.addChallenge({ ...challenge, created: at(0) }))
  for (let user = 1; user <= USERS; user++) {
    await records.addTracking(user)
    for (const challenge of new Set([
      challenges[user % challenges.length]!,
      challenges[random.below(challenges.length)]!,
    ])) {
      await records.addMember(challenge, user)
      members.push([user, challenge])
    }
  }
  for (let day = 1; day <= DAYS; day++) {
    for (const [user, challenge] of members) {
      if (random.below(3) === 0) continue
      const text = random.below(8) === 0 ? BREAK_DAY : `Day ${day} of challenge ${challenge}.`
      posts.push(await records.addPost({ challenge, user, text, created: at(day - 1) }))
    }
    for (let i = 0; i < USERS; i++)
      await records.addReaction(posts[random.below(posts.length)]!, 1 + random.below(USERS), false)
    await nightly.run(addDays(nightly.today(), day - DAYS))
  }
}
