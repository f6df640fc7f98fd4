/* What the replies to MULTI, the commands and EXEC say about the transaction. */

import { KeywrightError } from "../../errors/error.ts"
import { replyUnexpected, transactionBroken } from "../../errors/driver.ts"
import { Refused } from "../../errors/outcome.ts"
import type { Command, Reply } from "../driver.ts"
import { kindOf } from "../reply-kind.ts"
import { serverError } from "../server-errors.ts"
import { fitting } from "../fitting.ts"

/** The replies of EXEC; or the error to reject with, its cause the first command that was refused. */
export function outcomeOfMulti(commands: readonly Command[], replies: readonly Reply[]): Reply {
  const exec = replies[replies.length - 1] as Reply
  const begin = replies[0]
  if (Array.isArray(exec)) {
    const wrong = replies.slice(0, -1).find((reply, i) => !isStatus(reply, i === 0 ? "OK" : "QUEUED"))
    if (wrong !== undefined) return replyUnexpected("MULTI", kindOf(wrong), "OK and QUEUED")
    if (exec.length === commands.length) return fitting(commands, exec)
    return replyUnexpected("EXEC", kindOf(exec), `a list of ${commands.length}`)
  }
  if (begin instanceof KeywrightError) return transactionBroken(begin)
  // Null, too: it would mean that a watched key has changed, and no driver watches any.
  if (!(exec instanceof KeywrightError)) return replyUnexpected("EXEC", kindOf(exec), "a list")
  const cause = replies.slice(0, -1).find((reply) => reply instanceof KeywrightError) ?? reasonIn(exec)
  if (cause === undefined) return exec
  return new Refused(exec.code, `${exec.message}: ${cause.message}`, {
    why: "A command was refused, so the server discarded the transaction: none was carried out.",
    cause,
  })
}

const isStatus = (reply: Reply, status: string): boolean =>
  reply === status || (reply instanceof Uint8Array && Buffer.from(reply).toString("latin1") === status)

/** `EXECABORT Transaction discarded because of: OOM command not allowed …` */
function reasonIn(exec: KeywrightError): KeywrightError | undefined {
  const reason = / because of: (.+)$/s.exec(exec.message)?.[1]
  return reason === undefined ? undefined : serverError(reason)
}
