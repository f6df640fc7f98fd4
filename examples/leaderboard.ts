/* A leaderboard: points that only go up, the best ten, and the neighbours of a player. */

import { connect, float, id, keyspace, month, zset } from "keywright"

const player = id("player")

export const game = keyspace(
  {
    best: zset("best:{month}", player, { score: float, keep: 1000, doc: "The best 1000 players of a month." }),
    record: zset("record", player, { score: float, doc: "The best single game of each player." }),
  },
  { name: "game", ttl: "never", params: { month } },
)

const db = await connect(game)

/** Counts a game; with the game's id it counts once, however often it is reported. */
export async function finish(who: string, points: number, game: string, when: `${number}-${number}`) {
  const total = await db.best({ month: when }).increment(who, points, { operationId: `game-${game}` })
  await db.record().add(who, points, { only: "higher" })
  return total
}

/** A player's place from 1 on, with the one before and the one after. */
export async function around(who: string, when: `${number}-${number}`) {
  const board = db.best({ month: when })
  const place = await board.reverseRank(who)
  if (place === undefined) return undefined
  const from = Math.max(0, place - 1)
  return { place: place + 1, near: await board.range(from, place + 1, { reverse: true }) }
}

await finish("ann", 50, "1", "2026-01")
await finish("bob", 80, "2", "2026-01")
await finish("cy", 20, "3", "2026-01")
console.log(await finish("ann", 40, "4", "2026-01"), await finish("ann", 40, "4", "2026-01")) // → 90 90
console.log(await db.best({ month: "2026-01" }).rangeWithScores(0, 9, { reverse: true }))
// → [ [ 'ann', 90 ], [ 'bob', 80 ], [ 'cy', 20 ] ]
console.log(await around("bob", "2026-01")) // → { place: 2, near: [ 'ann', 'bob', 'cy' ] }
console.log(await db.record().score("ann")) // → 50
await db.$close()
