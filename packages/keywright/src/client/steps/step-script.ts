/* The script of a step, as it is sent. A step that is to happen once is wrapped: it looks
 * up its operation id first, and remembers what it returned. Both are in the same script
 * as the effect, so that nothing can come between. */

import { readFileSync } from "node:fs"
import type { Script } from "../../driver/driver.ts"
import { scriptOf, shortReply } from "../../driver/script.ts"
import { stepScript } from "../../errors/step.ts"
import { checkHeader, type Result, type Step } from "../../schema/step.ts"
import { replicasOf } from "../call/write-and-wait.ts"
import { fencedScript } from "./fenced-script.ts"

// The step itself sees its own KEYS and ARGV only. An error is not remembered: nothing was done. On one line, so that
// line numbers in errors are those of the step's file.
const before = (again: string) =>
  `local kw_op, kw_ms = table.remove(KEYS), table.remove(ARGV) local kw_seen = redis.call("GET", kw_op) if kw_seen then ${again}return cmsgpack.unpack(kw_seen)[1] end if not redis.acl_check_cmd("SET", kw_op, "", "PX", kw_ms) then return redis.error_reply("NOPERM this user may not remember a step") end local function kw_step() `
/** A write, so that WAIT after a repetition waits for what was written the first time. It makes the time longer, never shorter. */
const WAITING = 'redis.call("PEXPIRE", kw_op, string.format("%.0f", math.max(redis.call("PTTL", kw_op), kw_ms))) '
const AFTER = `
end
local kw_reply = kw_step()
if type(kw_reply) ~= "table" or not kw_reply.err then
  if kw_reply == nil then
    kw_reply = false
  end
  redis.call("SET", kw_op, cmsgpack.pack({ kw_reply }), "PX", kw_ms)
end
return kw_reply
`

export function stepScriptOf(name: string, step: Step): Script {
  const source = "source" in step.script ? step.script.source : read(name, step.script.url)
  checkHeader(source, step)
  const most = isNumber(step.returns as Result) ? shortReply : undefined
  if (step.fenced) return scriptOf(name, fencedScript(source), most)
  const again = replicasOf(step.durability) > 0 ? WAITING : ""
  return scriptOf(name, step.once ? before(again) + source + AFTER : source, most)
}

const NUMBERS = new Set(["int", "float", "flag", "looseFlag"])

const isNumber = (returns: Result): boolean =>
  returns !== undefined && "spec" in returns && NUMBERS.has(returns.spec.codec)

function read(name: string, url: string): string {
  try {
    return readFileSync(new URL(url), "utf8")
  } catch (cause) {
    throw stepScript(name, url, cause)
  }
}
