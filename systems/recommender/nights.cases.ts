/* Some nights of a recommender, as tests play them. */

import { noon, type sourceOf } from "./source.cases.ts"

type Source = ReturnType<typeof sourceOf>

/** Something of everything: posts of all kinds, reactions and cancellations, and a challenge that is about to end. */
export async function firstNights({ challenge, member, post, react, nightly }: Source): Promise<void> {
  await challenge({ id: 1, category: 1, duration: 300 })
  await challenge({ id: 2, category: 2, duration: 3 })
  await challenge({ id: 3, category: 3, duration: 300, is_public: false })
  for (const id of [1, 2, 3]) for (const user of [5, 6]) await member(id, user)
  for (const day of [1, 2]) {
    for (const id of [1, 2, 3]) for (const user of [5, 6]) await post(id, user, { created: noon(day) })
    for (const id of [1, 3, 5]) await react(id, 9)
    await nightly(day)
  }
}

export async function newRecords({ challenge, member, post, rest, react, cancel, track }: Source): Promise<void> {
  for (const id of [4, 5, 6]) await challenge({ id, category: id - 4, duration: 300 })
  for (const id of [4, 5, 6]) await member(id, 7)
  for (const id of [1, 2, 3]) for (const user of [5, 6]) await post(id, user, { created: noon(3) })
  for (const id of [4, 5, 6]) await post(id, 7, { created: noon(3) })
  await post(4, 7, { created: noon(3) })
  await rest(5, 7, noon(4))
  for (const id of [1, 3, 13, 15, 19, 20, 17]) for (const user of [9, 10]) await react(id, user)
  for (const id of [1, 13, 13, 2]) await cancel(id, 9)
  for (const user of [5, 6, 7]) await track(user)
}
