/* The Redis type: asked for only when the read that the schema would make was refused.
 * Whatever occupies the key of an index, a list or a counter is in its way: these are
 * rebuilt. */

import type { Wire } from "../../../driver/driver.ts"
import type { Inquiry } from "../inquiry.ts"
import type { KeyModel } from "../../model/model.ts"

export function checkType(row: KeyModel, key: Wire, inquiry: Inquiry): void {
  const { db, type } = row
  const isDerived = row.declared.entity !== undefined && row.declared.entity.role !== "record"
  const read = { db, command: ["TYPE", key] }
  inquiry.ask(db, read.command, (found) => {
    if (found === type || found === "none") return
    inquiry.suspect({
      code: "KEY.TYPE",
      row,
      key,
      expected: type,
      found: String(found),
      reads: [read],
      isStillWrong: ([now]) => String(now) === String(found),
      fix: { db, commands: [["UNLINK", key]], ...(!isDerived && { destroys: true }) },
    })
  })
}
