import { expect, it } from "vitest"
import { readMonitorLine } from "./monitor-line.ts"

it("reads database, command and first arguments", () => {
  expect(readMonitorLine('1700000000.123456 [3 127.0.0.1:50000] "SET" "cart:42" "a \\"quoted\\" \\\\ value"')).toEqual({
    db: 3,
    command: ["SET", "cart:42", 'a "quoted" \\ value'],
    script: false,
  })
})

it("reads escaped bytes as the text that they are", () => {
  expect(readMonitorLine('1.0 [0 unix:/tmp/s] "GET" "m\\xc3\\xb3n:\\n"')?.command).toEqual(["GET", "món:\n"])
})

it("knows the commands of scripts, and reads no more than it takes to find a key", () => {
  const many = Array.from({ length: 50 }, (_, i) => `"${i}"`).join(" ")
  const entry = readMonitorLine(`1.0 [0 lua] "SADD" "k" ${many}`)
  expect(entry?.script).toBe(true)
  expect(entry?.command).toHaveLength(8)
})

it("is not misled by other lines", () => {
  for (const line of ["OK", "", "1.0 [0 x] ", '1.0 [0 x] "GET']) expect(readMonitorLine(line)).toBeUndefined()
})
