/* The Redis type: asked for only when the read that the schema would make was refused. What
 * stands in the place of an index, a list or a counter is in its way: these are rebuilt. */

import type { Wire } from "../../driver/driver.ts"
import type { Desk } from "./desk.ts"
import type { RowModel } from "../model/model.ts"

export function lookAtType(model: RowModel, key: Wire, desk: Desk): void {
  const { db, type } = model
  const isDerived = model.row.entity !== undefined && model.row.entity.role !== "record"
  const read = { db, command: ["TYPE", key] }
  desk.ask(db, read.command, (found) => {
    if (found === type || found === "none") return
    desk.suspect({
      code: "KEY.TYPE",
      model,
      key,
      expected: type,
      found: String(found),
      reads: [read],
      holds: ([now]) => String(now) === String(found),
      fix: { db, commands: [["UNLINK", key]], ...(!isDerived && { destroys: true }) },
    })
  })
}
