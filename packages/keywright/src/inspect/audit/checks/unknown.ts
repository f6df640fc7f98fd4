/* Keys that no pattern owns: one finding each, under what their pattern may be. */

import type { Reply, Wire } from "../../../driver/driver.ts"
import { finding, type Finding } from "../finding.ts"
import { likelyPattern, showUnknown } from "../../model/unknown-patterns.ts"
import { isText } from "../../walk/wire.ts"

export const unknownFinding = (db: number, key: Wire, type: Reply): Finding =>
  finding(
    {
      code: "KEY.UNKNOWN",
      db,
      pattern: likelyPattern(key),
      key: showUnknown(key),
      expected: "a key of a declared pattern",
      found: `a ${String(type)}${isText(key) ? "" : " whose key is not text"}`,
      fixable: false,
    },
    {
      db,
      key,
      name: undefined,
      reads: [{ db, command: ["TYPE", key] }],
      replies: [type],
      fix: { db, commands: [["UNLINK", key]], destroys: true },
    },
  )
