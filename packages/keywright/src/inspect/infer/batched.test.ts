import { expect, it } from "vitest"
import { batched } from "./batched.ts"
import type { Probe, KeySource } from "./source.ts"

const probe = (key: string): Probe => ({ db: 0, key, type: "string" })

/** A source that answers with the key itself, and the keys of each round. */
function counted(fails = false) {
  const rounds: string[][] = []
  const ask: KeySource["ask"] = async (probes) => {
    rounds.push(probes.map(({ key }) => key))
    if (fails) throw new Error("gone")
    return probes.map(({ key }) => ({ elements: [key], deadline: undefined }))
  }
  return { rounds, ask: batched({ ask, read: async () => undefined }) }
}

it("asks once for what is asked at the same time, and gives each its own answers", async () => {
  const { rounds, ask } = counted()
  const answers = await Promise.all([ask([probe("a"), probe("b")]), ask([]), ask([probe("c")])])
  expect(answers.map((own) => own.map((one) => one?.elements[0]))).toEqual([["a", "b"], [], ["c"]])
  await ask([probe("d")])
  expect(rounds).toEqual([["a", "b", "c"], ["d"]])
})

it("asks again for what is asked later, and never for nothing", async () => {
  const { rounds, ask } = counted()
  await ask([probe("a")])
  await ask([])
  await ask([probe("b")])
  expect(rounds).toEqual([["a"], ["b"]])
})

it("fails for all who asked, and asks again for the next", async () => {
  const { rounds, ask } = counted(true)
  const outcomes = await Promise.allSettled([ask([probe("a")]), ask([probe("b")])])
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  await expect(ask([probe("c")])).rejects.toThrow("gone")
  expect(rounds).toEqual([["a", "b"], ["c"]])
})
