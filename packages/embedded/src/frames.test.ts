import { describe, expect, it } from "vitest"
import { Frames, readFrames } from "./frames.js"

function read(frames: Frames): string[] {
  const seen: string[] = []
  readFrames(frames.take(0), {
    open: (channel) => seen.push(`open ${channel}`),
    data: (channel, bytes) => seen.push(`${channel} ${bytes.toString()}`),
    close: (channel) => seen.push(`close ${channel}`),
  })
  return seen
}

describe("frames", () => {
  it("come out as they went in, neighbours of one channel joined", () => {
    const frames = new Frames()
    frames.mark(1, "open")
    frames.add(1, Buffer.from("one "))
    frames.add(1, Buffer.from("two"))
    frames.add(2, Buffer.from("other"))
    frames.add(1, Buffer.from("three"))
    frames.mark(1, "close")
    expect(read(frames)).toEqual(["open 1", "1 one two", "2 other", "1 three", "close 1"])
    expect(frames.empty).toBe(true)
    expect(read(frames)).toEqual([])
  })

  it("copy what they are given, and grow", () => {
    const frames = new Frames()
    const bytes = Buffer.alloc(100_000, "a")
    frames.add(1, bytes)
    bytes.fill("b")
    frames.add(2, bytes)
    const [one, other] = read(frames)
    expect(one).toBe(`1 ${"a".repeat(100_000)}`)
    expect(other).toBe(`2 ${"b".repeat(100_000)}`)
  })

  it("hand out a buffer of their own, to be transferred", () => {
    const frames = new Frames()
    frames.add(1, Buffer.from("x"))
    const { bytes } = frames.take(0)
    structuredClone(bytes, { transfer: [bytes] })
    frames.add(1, Buffer.from("y"))
    expect(read(frames)).toEqual(["1 y"])
  })
})
