import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Command, Wire } from "./driver.ts"
import { RespWriter } from "./resp-writer.ts"

function written(commands: readonly Command[]): Buffer {
  const writer = new RespWriter()
  for (const command of commands) writer.command(command)
  return Buffer.concat(writer.take())
}

function expected(commands: readonly Command[]): Buffer {
  const parts = commands.flatMap((command) => [
    Buffer.from(`*${command.length}\r\n`),
    ...command.flatMap((arg) => [
      Buffer.from(`$${Buffer.from(arg).length}\r\n`),
      Buffer.from(arg),
      Buffer.from("\r\n"),
    ]),
  ])
  return Buffer.concat(parts)
}

describe("the RESP writer", () => {
  test("writes a command as an array of bulk strings", () => {
    expect(written([["SET", "k", "é"]]).toString()).toBe("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$2\r\né\r\n")
  })

  for (const length of [0, 1, 9, 10, 39, 40, 41, 99, 100, 16_383, 16_384, 16_385, 65_000, 65_536, 200_000]) {
    test(`writes values of ${length} characters, as text and as bytes`, () => {
      for (const char of ["x", "é", "日"]) {
        const text = char.repeat(length)
        const commands = [
          ["SET", "k", text],
          ["SET", Buffer.from(text), "after"],
          ["GET", "k"],
        ]
        expect(written(commands).equals(expected(commands))).toBe(true)
      }
    })
  }

  test("writes any commands", () => {
    const wire: fc.Arbitrary<Wire> = fc.oneof(
      fc.string({ unit: "binary", maxLength: 100 }),
      fc.uint8Array({ maxLength: 100 }),
    )
    fc.assert(
      fc.property(fc.array(fc.array(wire, { minLength: 1, maxLength: 20 }), { maxLength: 50 }), (commands) => {
        expect(written(commands).equals(expected(commands))).toBe(true)
      }),
    )
  })

  test("never writes over what it has handed out", () => {
    const writer = new RespWriter()
    const taken: Uint8Array[] = []
    const commands: Command[] = []
    for (let i = 0; i < 5000; i++) {
      const command: Command = ["SET", `key:${i}`, "v".repeat(i % 200)]
      commands.push(command)
      writer.command(command)
      if (i % 7 === 0) taken.push(...writer.take())
    }
    taken.push(...writer.take())
    expect(Buffer.concat(taken).equals(expected(commands))).toBe(true)
  })

  test("hands large values on without copying them", () => {
    const writer = new RespWriter()
    const large = Buffer.alloc(100_000, 1)
    writer.command(["SET", "k", large])
    expect(writer.take().some((piece) => piece === large)).toBe(true)
  })
})
