import { expect, it } from "vitest"
import { githubAnnotations } from "./github.ts"
import type { SarifFinding } from "./sarif.ts"

it.each<[string, SarifFinding, string]>([
  [
    "an error at its line",
    { code: "A.B", severity: "error", message: "m", at: { file: "s.ts", line: 3 } },
    "::error file=s.ts,line=3,title=A.B::m",
  ],
  ["a note as notice, without a place", { code: "A.B", severity: "note", message: "m" }, "::notice title=A.B::m"],
  [
    "the fix on a line of its own",
    { code: "A.B", severity: "warning", message: "m", fix: "f" },
    "::warning title=A.B::m%0Afix: f",
  ],
  [
    "a message that would be a command of its own",
    { code: "A.B", severity: "error", message: "50%\n::error::x" },
    "::error title=A.B::50%25\\n::error::x",
  ],
  [
    "a path with signs",
    { code: "A.B", severity: "error", message: "m", at: { file: "a,b:c.ts", line: 1 } },
    "::error file=a%2Cb%3Ac.ts,line=1,title=A.B::m",
  ],
])("writes %s", (_, finding, line) => {
  expect(githubAnnotations([finding])).toBe(line)
})
