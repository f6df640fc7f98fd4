import { expect, it } from "vitest"
import { patternFrom } from "../mine/pattern.cases.ts"
import { times } from "../values/values.cases.ts"
import { openEnumerations } from "./open-enumerations.ts"

const queues = ["default", "high", "low"]
const jobs = () =>
  patternFrom(
    "job:{int}",
    "hash",
    times(240, String).map((n) => ["origin", queues[Number(n) % 3]!, "state", ["open", "done"][Number(n) % 2]!]),
  )

it("leaves a field open whose values are names of keys, and closes the others", () => {
  const job = jobs()
  const listed = patternFrom("queues", "set", [queues])
  openEnumerations([job, listed])
  expect(job.described.fields).toEqual({
    origin: { codec: "text" },
    state: { codec: "oneOf", values: ["done", "open"] },
  })
})

it("does so in documents", () => {
  const documents = patternFrom(
    "job:{int}",
    "string",
    times(240, String).map((n) => [
      JSON.stringify({ status: queues[Number(n) % 3]!, type: ["A", "B"][Number(n) % 2]! }),
    ]),
  )
  openEnumerations([documents, patternFrom("queues", "set", [queues])])
  expect(documents.described.shape["value"]).toMatchObject({
    schema: { properties: { status: { type: "string" }, type: { enum: ["A", "B"] } } },
  })
})
