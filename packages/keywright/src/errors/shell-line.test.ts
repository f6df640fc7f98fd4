import { spawnSync } from "node:child_process"
import { describe, expect, test } from "vitest"
import { shellLine } from "./shell-line.ts"

/** The words that a shell makes of a line. */
const wordsIn = (line: string) =>
  spawnSync("sh", ["-c", `printf '%s\\n' ${line}`], { encoding: "utf8" })
    .stdout.split("\n")
    .slice(0, -1)

describe("a command to paste", () => {
  test.each([
    ["cart", "cart"],
    ["order.note=order.remark", "order.note=order.remark"],
    ["", "''"],
    ["cart:{id}", "'cart:{id}'"],
    ["x';touch pwned;'", String.raw`'x'\'';touch pwned;'\'''`],
    ["$(touch pwned)", "'$(touch pwned)'"],
    ["`id` && !! # ~ *", "'`id` && !! # ~ *'"],
    ["~root", "'~root'"],
    [String.raw`x:mail\[1\]:*`, String.raw`'x:mail\[1\]:*'`],
  ])("has %j as one word", (text, word) => {
    expect(shellLine`UNLINK ${text} --url`).toBe(`UNLINK ${word} --url`)
    expect(wordsIn(shellLine`UNLINK ${text} --url`!)).toEqual(["UNLINK", text, "--url"])
  })

  test.each(["a\nb", "\u001b[2K", "a\u202eb", "\0", "-rf", String.raw`x\';touch pwned;\'`, "x\\", "x'".repeat(150)])(
    "is not made with %j",
    (text) => expect(shellLine`UNLINK ${text}`).toBeUndefined(),
  )
})
