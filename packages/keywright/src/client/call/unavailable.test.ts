import { expect, test } from "vitest"
import { KeywrightError } from "../../errors/error.ts"
import { NotApplied, OutcomeUnknown, Refused } from "../../errors/outcome.ts"
import { isUnavailable } from "./unavailable.ts"

test.each<readonly [string, unknown, boolean]>([
  ["a server that refuses for now", new NotApplied("SERVER.OOM", "full"), true],
  ["a server that does not answer", new OutcomeUnknown("DRIVER.TIMEOUT", "late"), true],
  ["a call that its caller ended", new NotApplied("CALL.ABORTED", "ended"), false],
  ["an argument that cannot be sent", new NotApplied("DRIVER.ARGUMENT", "no text"), false],
  ["a step that was written in part", new OutcomeUnknown("PLAN.HALF_WRITTEN", "half"), false],
  ["a command that is refused for good", new Refused("SERVER.ERR", "no"), false],
  [
    "a transaction that was discarded for a state of the server",
    new Refused("SERVER.EXECABORT", "discarded", { cause: new NotApplied("SERVER.OOM", "full") }),
    true,
  ],
  [
    "a transaction that was discarded for one of its commands",
    new Refused("SERVER.EXECABORT", "discarded", { cause: new KeywrightError("SERVER.ERR", "no") }),
    false,
  ],
  ["something else", new Error("no"), false],
])("knows whether it may be otherwise later: %s", (_, error, is) => {
  expect(isUnavailable(error)).toBe(is)
})
