import { expect, it } from "vitest"
import { EventReader } from "./event-stream.ts"

it("gives events that are complete, however the stream is cut, and no comments", () => {
  const text = ':\n\nid: 5-0\nevent: message\ndata: {"body":"a: b"}\n\nevent: ready\ndata: {}\n\n'
  const whole = [
    { id: "5-0", event: "message", data: { body: "a: b" } },
    { id: undefined, event: "ready", data: {} },
  ]
  for (let cut = 0; cut <= text.length; cut++) {
    const reader = new EventReader()
    expect([...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))]).toEqual(whole)
  }
})
