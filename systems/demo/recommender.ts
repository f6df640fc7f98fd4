/* Readers of the recommender. What they like is in the source until the next night; the
 * nights before are part of the rows of a demonstration (`--demo`). */

import type { Play } from "./people.ts"

const READERS = 12

export const recommenderReaders: Play = async ({ call, admin }, random) => {
  const reader = () => 1 + random.below(READERS)
  const recommended = () => call(`GET /users/${reader()}/recommendations?limit=20`)
  const react = async () => {
    const { posts } = (await recommended()) as { posts: { id: number }[] }
    if (posts.length > 0) await admin("POST /reactions", { post: random.pick(posts).id, user: reader() })
  }

  return {
    act: () => {
      if (random.chance(20)) return react()
      if (random.chance(20)) return call(`GET /users/${reader()}/preferences`)
      if (random.chance(20)) return call(`GET /categories/${random.below(5)}/posts`)
      return recommended()
    },
  }
}
