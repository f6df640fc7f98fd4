/* What really happens when programs of two schemas meet on one server. */

import { connect, type Keyspace } from "../../../index.ts"
import type { Driver } from "../../../driver/driver.ts"
import type { Scene } from "../scenes/scene.cases.ts"
import type { Verdicts } from "../verdict.ts"
import { meetOverRecords } from "./meet-over-records.cases.ts"
import { meetOverTime } from "./meet-over-time.cases.ts"
import { meet } from "./meet.cases.ts"
import { plainProgram } from "./plain-program.cases.ts"
import { worst, type Any, type Outcome, type Program } from "./program.cases.ts"
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
  const programOf = (keyspace: Keyspace, db: Any, name: string, side: 0 | 1): Program => {
    if (!isEntity) return plainProgram(keyspace, db, name, driver, most)
    const isRecord = (keyspace.entries as Any)[name].kind === "entity"
    return isRecord
      ? recordProgram(scene, db, name, side)
      : byHand(plainProgram(keyspace, db, name, driver, 0), scene, side)
  }
  const [old, now] = [programOf(scene.before, oldDb, oldName, 0), programOf(scene.after, newDb, newName, 1)]
  const stage = { old, now, driver, renamed: scene.renamed ?? {} }
  return isEntity
    ? both(await meet(stage), await meetOverRecords(stage))
    : both(await meet(stage), await meetOverTime(stage))
}

/** A program that writes records as plain values: it maintains nothing with them. */
function byHand(program: Program, { records }: Scene, side: 0 | 1): Program {
  const all = (side === 0 ? records!.before : records!.after) as readonly { readonly id: string }[]
  return {
    ...program,
    items: all.map((record) => ({ params: { id: record.id }, content: record })),
    write: ({ params: { id = "2" }, content }) => program.write({ params: { id }, content }),
  }
}

/** The worse of two, for each. */
export const both = (one: Verdicts<Outcome>, other: Verdicts<Outcome>): Verdicts<Outcome> => ({
  oldReader: worst([one.oldReader, other.oldReader]),
  newReader: worst([one.newReader, other.newReader]),
  oldWriter: worst([one.oldWriter, other.oldWriter]),
  newWriter: worst([one.newWriter, other.newWriter]),
})
