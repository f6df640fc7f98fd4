import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { EventReader } from "./event-stream.ts"

const stream =
  'id: 5-0\nevent: missed\ndata: {"count":"3: three"}\n\n: still here\n\nevent: bye\ndata: {}\n\nevent: missed\ndata: {"count":4}\n\n'
const events = [
  { id: "5-0", name: "missed", data: { count: "3: three" } },
  { id: undefined, name: "bye", data: {} },
  { id: undefined, name: "missed", data: { count: 4 } },
]

describe("the stream of events", () => {
  it("gives the same events wherever it is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), stream.length]
        const reader = new EventReader()
        expect(at.slice(1).flatMap((end, i) => reader.push(stream.slice(at[i], end)))).toEqual(events)
      }),
    )
  })

  it("keeps an event that is not complete", () => {
    const reader = new EventReader()
    expect(reader.push("event: bye\ndata: {}\n")).toEqual([])
    expect(reader.push("\n")).toEqual([{ id: undefined, name: "bye", data: {} }])
  })
})
