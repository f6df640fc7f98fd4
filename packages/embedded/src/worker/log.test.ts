/* The lines of the server's log. */

import { expect, it } from "vitest"
import { Log } from "./log.js"

const at = new Date(2026, 10, 16, 5, 49, 8, 123).getTime()

it.each([
  "16 Nov 2026 05:49:08.122",
  "01 Jan 1970 00:00:00.000",
  "-51 Jan 1970 -15:-9:-56.519",
  "-1789 Jan 1970 00:-37:-41.828",
])("a line that the server dated %s carries the engine's time", (date) => {
  const lines: string[] = []
  const log = new Log(
    () => at,
    (line) => lines.push(line),
  )
  log.write(Buffer.from(`42:M ${date} * Ready to accept connections tcp\n    at 12:30:00.123 somewhere\n`))
  const expected = ["42:M 16 Nov 2026 05:49:08.123 * Ready to accept connections tcp", "    at 12:30:00.123 somewhere"]
  expect(lines).toEqual(expected)
  expect(log.tail).toEqual(expected)
})
