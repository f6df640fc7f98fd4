/* Alarms ring once, at their time or later, unless they were cleared first. */

import { expect, test } from "vitest"
import { type Alarm, clearAlarm, now, setAlarm } from "./alarms.ts"

const rings = (inMs: number): Promise<number> => new Promise((resolve) => setAlarm(now() + inMs, () => resolve(now())))

test("each rings at its time or later, in whatever order they were set", async () => {
  const begun = now()
  const waits = [60, 5, 30, 5, 45]
  const rung = await Promise.all(waits.map(rings))
  rung.forEach((at, i) => expect(at - begun).toBeGreaterThanOrEqual(waits[i]! - 2))
})

test("one that was cleared does not ring, wherever it was among the others", async () => {
  const rung: number[] = []
  const alarms = Array.from({ length: 9 }, (_, i) => setAlarm(now() + 10, () => rung.push(i)))
  for (const i of [8, 0, 4, 5]) expect(clearAlarm(alarms[i]!)).toBe(true)
  for (const i of [8, 0, 4, 5]) expect(clearAlarm(alarms[i]!)).toBe(false)
  await rings(40)
  expect(rung.sort()).toEqual([1, 2, 3, 6, 7])
  for (const alarm of alarms) expect(clearAlarm(alarm)).toBe(false)
})

test("one that rings may clear others that are due, and set new ones", async () => {
  const rung: string[] = []
  const at = now() + 10
  const both: Alarm[] = ["a", "b"].map((name) =>
    setAlarm(at, () => {
      rung.push(name)
      for (const other of both) clearAlarm(other)
      setAlarm(now() + 1, () => rung.push("next"))
    }),
  )
  await rings(60)
  expect(rung).toEqual(["a", "next"])
})
