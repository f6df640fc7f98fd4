/* What a plan writes, as commands of Redis: for people. What Redis has no command for is
 * in parentheses. */

import type { IdGroup } from "./plan.ts"
import type { KeyWrite, Write } from "./writes/write.ts"

export function commandsOf(writes: readonly Write[], ids: readonly IdGroup[]): readonly (readonly string[])[] {
  const counters = ids.map(({ counter, placeholders }) =>
    placeholders.length === 1 ? ["INCR", counter] : ["INCRBY", counter, String(placeholders.length)],
  )
  const moves = writes.flatMap((write) =>
    write.write === "move"
      ? [
          ...write.enters.map((key) => ["SADD", key, write.member]),
          ...write.leaves.map((key) => ["SREM", key, write.member]),
        ]
      : [],
  )
  const others = writes.flatMap((write) => (write.write === "move" ? [] : [commandOf(write)]))
  return [...moves, ...counters, ...others]
}

function commandOf(write: KeyWrite): readonly string[] {
  const { key } = write
  switch (write.write) {
    case "command":
      return [write.name, key, ...write.words.map(String)]
    case "delete-if":
      return ["DEL", key, `(if it is ${write.value})`]
    case "live-as":
      return ["PEXPIRE", key, `(as long as ${write.record})`]
    case "note-end":
      return [
        "ZADD",
        key,
        `(now + ${write.record === undefined ? `${write.ms} ms` : `PTTL ${write.record}`})`,
        write.member,
      ]
    case "remove-by-type":
      return ["SREM", key, write.member, "(or ZREM, by its type)"]
  }
}
