/* The table itself is tested, not believed: for every row, programs of both schemas run on a real
 * server, and what happened to them has to be what the table says. */

import { describe, expect, test } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import { toJson } from "../../index.ts"
import { changeCodes, type ChangeCode } from "./change-codes.ts"
import { diffSchemas } from "./diff.ts"
import { happened } from "./experiment/happened.cases.ts"
import { compounds } from "./scenes/compounds.cases.ts"
import { scenes } from "./scenes/scenes.cases.ts"
import {
  isGood,
  orderTogether,
  told,
  worse,
  type TableVerdict,
  type RolloutOrder,
  type Verdict,
  type Verdicts,
} from "./verdict.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

describe.runIf(needs("redis-server"))("what the table says is what happens", () => {
  const server = redisForSuite()

  test("no row is left out", () => {
    const run = new Set(scenes.flatMap(({ codes }) => codes))
    expect((Object.keys(changeCodes) as ChangeCode[]).filter((code) => !run.has(code))).toEqual([])
  })

  test.each(scenes.map((scene, i) => [`${i} ${scene.title}`, scene] as const))("%s", async (_, scene) => {
    const { changes } = diffSchemas(toJson(scene.before), toJson(scene.after))
    expect(changes.map(({ code }) => code).sort()).toEqual([...scene.codes].sort())
    const really = await happened(scene, server.redis.url, server.driver)
    expect(line(ofAll(changes))).toBe(line(really))
    const order = orderTogether(changes.map((change) => change.order))
    if (scene.noOrderHelps) expect(order).toBe("any")
    else expect([isSafe(order, really), isNeeded(order, scene.codes, really)], order).toEqual([true, true])
  })
})

/** Whether nobody was hurt who is there while it is deployed in this order. */
function isSafe(order: RolloutOrder, { oldReader, newReader, oldWriter, newWriter }: Verdicts): boolean {
  if (order === "readers first") return isGood(newReader)
  if (order === "writers first") return isGood(oldReader) && canBegin(newWriter)
  return order === "all at once" || [oldReader, newReader, oldWriter, newWriter].every(isGood)
}

const canBegin = (newWriter: TableVerdict): boolean => isGood(newWriter) || newWriter === "fails to read"

/** All at once only where nothing else will do, or the table says why. */
const isNeeded = (order: RolloutOrder, codes: readonly ChangeCode[], really: Verdicts): boolean =>
  order !== "all at once" ||
  codes.some((code) => "order" in changeCodes[code]) ||
  (["readers first", "writers first"] as const).every((other) => !isSafe(other, really) || !canBegin(really.newWriter))

describe.runIf(needs("redis-server"))("several changes at once", () => {
  const server = redisForSuite()

  test("the union of what each says is never better than what happens, nor hurts anybody for nothing", async () => {
    const wrong: string[] = []
    for (const scene of compounds(isFull ? 400 : 24)) {
      const { changes } = diffSchemas(toJson(scene.before), toJson(scene.after))
      const said = ofAll(changes)
      const really = await happened(scene, server.redis.url, server.driver)
      for (const who of ["oldReader", "newReader", "oldWriter", "newWriter"] as const) {
        const isRight = isGood(said[who]) === isGood(really[who])
        const isSilent = really[who] !== "silent" || said[who] === "silent"
        if (!isRight || !isSilent)
          wrong.push(
            `${scene.title}, ${who}: ${said[who]} said, ${really[who]} happened (${changes.map(({ code, what }) => `${code} ${what}`).join("; ")})`,
          )
      }
    }
    expect(wrong).toEqual([])
  })
})

const notConcerned: Verdicts<Verdict> = { oldReader: "n/a", newReader: "n/a", oldWriter: "n/a", newWriter: "n/a" }
const nobody: Verdicts<Verdict> = { oldReader: "works", newReader: "works", oldWriter: "works", newWriter: "works" }

const ofAll = (changes: readonly Verdicts<Verdict>[]): Verdicts<Verdict> =>
  changes.length === 0
    ? nobody
    : changes.reduce(
        (one, other) => ({
          oldReader: worse(one.oldReader, other.oldReader),
          newReader: worse(one.newReader, other.newReader),
          oldWriter: worse(one.oldWriter, other.oldWriter),
          newWriter: worse(one.newWriter, other.newWriter),
        }),
        notConcerned,
      )

/** `"old reader works, new reader fails, old writer fails, new writer fails"` */
const line = ({ oldReader, newReader, oldWriter, newWriter }: Verdicts): string =>
  `old reader ${told(oldReader)}, new reader ${told(newReader)}, old writer ${told(oldWriter)}, new writer ${told(newWriter)}`
