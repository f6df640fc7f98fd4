/* Collections that keep only a limited number of elements. */

import type { KeyModel } from "../../model/model.ts"
import type { CheckKind } from "./check.ts"

const lengthCommands = { list: "LLEN", zset: "ZCARD", stream: "XLEN" } as const

/** What counts the elements of a key with `keep`. */
export const lengthCommandOf = ({ declared: { keep, kind } }: KeyModel): string | undefined =>
  keep === undefined ? undefined : lengthCommands[kind as keyof typeof lengthCommands]

export const keepCheck: CheckKind = ({ declared }) => {
  const { keep, kind } = declared
  if (keep === undefined || !(kind in lengthCommands)) return undefined
  const command = lengthCommands[kind as keyof typeof lengthCommands]
  return ({ row, key, length, first }, inquiry) => {
    if (!first || length === undefined || length <= keep) return
    const trim = {
      LLEN: ["LTRIM", key, "0", String(keep - 1)],
      ZCARD: ["ZREMRANGEBYRANK", key, "0", String(-keep - 1)],
      XLEN: ["XTRIM", key, "MAXLEN", String(keep)],
    }[command]
    inquiry.suspect({
      code: "VALUE.TOO_MANY",
      row,
      key,
      expected: `at most ${keep} elements`,
      found: `${length} elements`,
      reads: [{ db: row.db, command: [command, key] }],
      isStillWrong: ([now]) => Number(now) > keep,
      // Only its writers know which end of a list is the older one.
      fix: { db: row.db, commands: [trim], ...(kind === "list" && { destroys: true }) },
    })
  }
}
