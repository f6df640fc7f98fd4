/* What really happens when programs of two schemas meet on one server. */

import { connect } from "../../../index.ts"
import type { Driver } from "../../../driver/driver.ts"
import type { Scene } from "../scenes/scene.cases.ts"
import type { Verdicts } from "../verdict.ts"
import { meetOverRecords } from "./meet-over-records.cases.ts"
import { meetOverTime } from "./meet-over-time.cases.ts"
import { meet } from "./meet.cases.ts"
import { plainProgram } from "./plain-program.cases.ts"
import { worst, type Any, type Outcome } from "./program.cases.ts"
import { recordProgram } from "./record-program.cases.ts"

export async function happened(given: Scene, url: string, driver: Driver): Promise<Verdicts> {
  const scene = { ...given, before: given.earlier ?? given.before }
  const options = { sweep: false } as const
  const [oldDb, newDb] = [await connect(scene.before, url, options), await connect(scene.after, url, options)]
  try {
    return scene.meets === undefined
      ? await meetOverOne(scene, oldDb, newDb, driver)
      : await scene.meets({ scene, url, driver, old: oldDb, now: newDb })
  } finally {
    await Promise.all([oldDb.$close(), newDb.$close()])
  }
}

/** Programs of both that write, read and write over one entry. */
export async function meetOverOne(scene: Scene, oldDb: Any, newDb: Any, driver: Driver): Promise<Verdicts<Outcome>> {
  const [oldName, newName] = scene.names ?? ["x", "x"]
  const most = scene.codes.some((code) =>
    /^(CODEC|FIELD|ENUM|LIMIT|CONTENT|PARAM|COLUMN|SCORE|KIND|NAME.REUSED)/.test(code),
  )
    ? 80
    : 4
  const isEntity = scene.records !== undefined
  const old = isEntity
    ? recordProgram(scene, oldDb, oldName, 0)
    : plainProgram(scene.before, oldDb, oldName, driver, most)
  const now = isEntity
    ? recordProgram(scene, newDb, newName, 1)
    : plainProgram(scene.after, newDb, newName, driver, most)
  const stage = { old, now, driver, renamed: scene.renamed ?? {} }
  return isEntity
    ? both(await meet(stage), await meetOverRecords(stage))
    : both(await meet(stage), await meetOverTime(stage))
}

/** The worse of two, for each. */
export const both = (one: Verdicts<Outcome>, other: Verdicts<Outcome>): Verdicts<Outcome> => ({
  oldReader: worst([one.oldReader, other.oldReader]),
  newReader: worst([one.newReader, other.newReader]),
  oldWriter: worst([one.oldWriter, other.oldWriter]),
  newWriter: worst([one.newWriter, other.newWriter]),
})
