/* Data whose structure a schema can say: indexes in order and of some records, what is
 * trimmed and stamped, and families. */

import type { Command } from "../../../driver/driver.ts"

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

const tasks: readonly Command[] = numbers(40).flatMap((n): Command[] => {
  const state = ["open", "done", "late"][n % 3]!
  const at = new Date(1_760_000_000_000 + 61_000 * n).toISOString()
  return [
    ["SET", `task:${n}`, JSON.stringify({ id: n, state, at, weight: 7 * ((n * 13) % 40), team: `t${n % 4}` })],
    ["ZADD", "task:newest", String(Date.parse(at)), String(n)],
    ["ZADD", `task:heavy:t${n % 4}`, String(7 * ((n * 13) % 40)), String(n)],
    ...(state === "open" ? [["SADD", "task:open", String(n)]] : []),
    ...(state === "done" ? [["SADD", `team:t${n % 4}:done`, String(n)]] : []),
    ["ZADD", "task:votes", String((n * 7) % 11), String(n)],
  ]
})
const people: readonly Command[] = numbers(20).flatMap((n): Command[] => [
  ["HSET", `person:${n}`, "id", String(n), "since", String(1_700_000_000 + 977 * n), "rank", String((n * 7) % 20)],
  ["ZADD", "person:ranks", String((n * 7) % 20), String(n)],
  ["ZADD", "person:since", String(1000 * (1_700_000_000 + 977 * n)), String(n)],
])

/** Indexes by score and by condition. */
export const ordered: readonly Command[] = [...tasks, ...people]

const uuid = (n: number) => `0192f0c4-7a1e-7${String(n).padStart(3, "0")}-8abc-${String(n * 7919).padStart(12, "0")}`
const at = new Date(1_760_000_000_000).toISOString()
const note = (n: number) => JSON.stringify({ id: uuid(n), text: "x", createdAt: at, updatedAt: at })

/** Lists that are trimmed, records with stamps and UUIDs, a family with a marker: it expires in some time. */
export function kept(): Command[] {
  const deadline = Date.now() + 3_000_000
  return [
    ...numbers(30).flatMap((n) => [
      ["SET", `note:${uuid(n)}`, note(n)],
      ["SADD", "note:all", uuid(n)],
      ["RPUSH", `feed:${n}`, ...numbers(Math.min(20, 3 * n)).map((i) => `post ${i} of ${n}`)],
      ["RPUSH", `steps:${n}`, ...numbers(12 + (n % 4)).map((i) => `step ${i} of ${n}`)],
    ]),
    ...numbers(9).flatMap((n) => [
      ["HSET", `room:${n}`, "name", `Room ${n}`, "open", String(n % 2)],
      ["SADD", `room:${n}:guests`, "ann", `guest${n}`],
      ["PEXPIREAT", `room:${n}`, String(deadline + n)],
      ["PEXPIREAT", `room:${n}:guests`, String(deadline + n)],
    ]),
  ]
}
