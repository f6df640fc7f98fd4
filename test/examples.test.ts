import { describe, expect, it } from "vitest"
import { checkExamples } from "./examples-check.ts"
import { examplesIn, isPrinted, toCommands, toProgram } from "./examples-read.ts"

const sample = `
# A page

\`\`\`ts
// numbers.ts
export const numbers = [1, 2, 3]
\`\`\`

<!-- before
import { numbers } from "./numbers.ts"
-->
\`\`\`ts
console.log(numbers.length) // → 3
console.log({ numbers, text: "a rather long text, so that Node breaks the line of output" })
// → { numbers: [ 1, 2, 3 ],
//     text: 'a rather … of output' }
\`\`\`

\`\`\`ts
const wrong: number = "text" // ✗ Type 'string' is not assignable to type 'number'
export { wrong }
\`\`\`

\`\`\`console
$ ls *.ts && echo done
line-12.ts
…
done
$ cat numbers.ts | \\
    head -n 1
// numbers.ts
\`\`\`

\`\`\`sh
npm install keywright   # not repeated
npm test                # must exist
\`\`\`

\`\`\`sh no-run
rm -rf /
\`\`\`

\`\`\`json
{ "not": "an example" }
\`\`\`
`

checkExamples([{ page: "the sample page", markdown: sample }])

describe("reading examples", () => {
  const examples = examplesIn(sample)

  it("finds ts, sh and console blocks with their lines", () => {
    expect(examples.map(({ language, line }) => [language, line])).toEqual([
      ["ts", 4],
      ["ts", 12],
      ["ts", 19],
      ["console", 24],
      ["sh", 34],
      ["sh", 39],
    ])
  })

  it("names a program by its first line and runs it if it says what it prints", () => {
    const programs = examples.slice(0, 3).map(toProgram)
    expect(programs.map(({ file, runs }) => [file, runs])).toEqual([
      ["numbers.ts", false],
      ["line-12.ts", true],
      ["line-19.ts", false],
    ])
    expect(programs[1]?.prints).toBe("3\n{ numbers: [ 1, 2, 3 ],\ntext: 'a rather … of output' }")
    expect(programs[2]?.refused.size).toBe(1)
  })

  it("reads commands with continued lines, output below them, and no comments", () => {
    expect(examples.slice(3).flatMap(toCommands)).toEqual([
      { command: "ls *.ts && echo done", prints: "line-12.ts\n…\ndone", line: 25 },
      { command: "cat numbers.ts | head -n 1", prints: "// numbers.ts", line: 29 },
      { command: "npm install keywright", prints: "", line: 35 },
      { command: "npm test", prints: "", line: 36 },
    ])
  })
})

describe("comparing output", () => {
  it("does not mind line breaks, widths and colours", () => {
    expect(isPrinted("{ a: 1,\n  b: 2 }", "{ a: 1, b: 2 }\n", "whole")).toBe(true)
    expect(isPrinted("clean", "\u001B[32mclean\u001B[39m", "whole")).toBe(true)
  })

  it("takes … for anything, and everything else as it is", () => {
    expect(isPrinted("took … ms", "took 12 ms", "whole")).toBe(true)
    expect(isPrinted("a.c", "abc", "whole")).toBe(false)
    expect(isPrinted("3", "34", "whole")).toBe(false)
    expect(isPrinted("3", "34", "part")).toBe(true)
  })
})
