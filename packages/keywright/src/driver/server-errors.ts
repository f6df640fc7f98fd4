/* What an error reply of the server means: one table, from its first word to a
 * class, and to whether the driver tries again within the call's deadline.
 *
 * Only temporary errors that the server raises before it runs the command are retried:
 * nothing was applied then. An error raised half-way in a script is Refused like the
 * others: what the script wrote before stays written, which is why ours check everything
 * first. */

import { type ErrorCode, type ErrorHints, KeywrightError } from "../errors/error.ts"
import { NotApplied, Refused, WrongType } from "../errors/outcome.ts"

interface ErrorMeaning {
  readonly type: new (code: ErrorCode, message: string, hints?: ErrorHints) => KeywrightError
  readonly again?: true
  /** Stays so until somebody changes users or settings. */
  readonly lasting?: true
  readonly fix?: string
}

const TABLE: Readonly<Record<string, ErrorMeaning>> = {
  // passes by itself; nothing was applied
  LOADING: { type: NotApplied, again: true, fix: "Wait until the server has loaded its data." },
  TRYAGAIN: { type: NotApplied, again: true, fix: "Keys of one slot are moving to another node; try again." },
  CLUSTERDOWN: { type: NotApplied, again: true, fix: "Wait until the cluster covers all slots again." },
  BUSY: { type: NotApplied, again: true, fix: "A script runs for too long; see SCRIPT KILL." },
  // a state of the server; nothing was applied
  MASTERDOWN: { type: NotApplied, fix: "The replica has lost its primary; connect to a primary." },
  READONLY: { type: NotApplied, fix: "This is a replica; connect to the primary." },
  OOM: { type: NotApplied, fix: "The server is at its maxmemory; free or add memory." },
  MISCONF: { type: NotApplied, fix: "The server cannot persist; see its log." },
  NOREPLICAS: { type: NotApplied, fix: "Fewer replicas follow than min-replicas-to-write asks for." },
  MOVED: { type: NotApplied, fix: "This is a node of a cluster: leave out cluster=off, or hand in a cluster client." },
  ASK: { type: NotApplied, fix: "This is a node of a cluster: leave out cluster=off, or hand in a cluster client." },
  UNBLOCKED: { type: NotApplied, fix: "The blocking command was ended by the server; try again." },
  // a mistake of the caller, or of the set-up
  NOAUTH: { type: Refused, lasting: true, fix: "Give a user and a password." },
  WRONGPASS: { type: Refused, lasting: true, fix: "Check user and password." },
  NOPERM: { type: Refused, lasting: true, fix: "Give this ACL user the command and the keys." },
  NOPROTO: { type: Refused, fix: "The server does not speak this version of RESP." },
  DENIED: { type: Refused, lasting: true, fix: "The server runs in protected mode; set a password." },
  WRONGTYPE: { type: WrongType, fix: "Another program uses this key for another type." },
  NOSCRIPT: { type: Refused, fix: "Send the script itself with EVAL." },
  EXECABORT: { type: Refused, fix: "A command of the transaction was refused; none was carried out." },
  CROSSSLOT: { type: Refused, fix: "Give the keys one hash tag, so that they share a slot." },
  BUSYGROUP: { type: Refused },
  NOGROUP: { type: Refused },
  BUSYKEY: { type: Refused },
  ERR: { type: Refused },
}

const SHOWN_CHARS = 300
const HIDDEN = "…"
/** What the server said, of errors that show less. */
const said = new WeakMap<KeywrightError, string>()

/**
 * The error for an error reply: `"OOM command not allowed …"` → NotApplied, code `SERVER.OOM`. An error of a script of ours
 * keeps its own code: `"INDEX.UNIQUE_TAKEN …"` → Refused, `INDEX.UNIQUE_TAKEN`. The secret is not shown, if there is one;
 * what the error means does not depend on it, since a weak one may be a part of any word.
 */
export function serverError(reply: string, secret = ""): KeywrightError {
  const first = /^[A-Z][A-Z0-9_.]*(?= |$)/.exec(reply)?.[0] ?? "ERR"
  const isRepeated = secret !== "" && reply.includes(secret)
  const word = isRepeated && TABLE[first] === undefined && first.includes(secret) ? "ERR" : first
  const row = TABLE[word] ?? { type: Refused }
  const shown = withoutArguments(isRepeated ? reply.replaceAll(secret, HIDDEN) : reply)
  const hints: { fix?: string; details: Record<string, unknown> } = { details: { reply: shown } }
  if (row.fix !== undefined) hints.fix = row.fix
  const error = new row.type(word.includes(".") ? (word as ErrorCode) : `SERVER.${word}`, shown, hints)
  if (isRepeated) said.set(error, reply)
  return error
}

/** The reply as the server sent it: to be understood, not to be shown. */
export const saidIn = (error: KeywrightError): string => said.get(error) ?? error.message

/** Whether a client library's message is that of an error reply: they start with a word in capitals. */
export function looksLikeReply(message: string): boolean {
  return /^[A-Z][A-Z0-9_.]{2,}( |$)/.test(message)
}

/** The server refused it for a temporary reason: it may be sent again, even if it is an increment. */
export function passesByItself(error: unknown): boolean {
  return meaningOf(error)?.again === true
}

/** The server refused it, and will do so until somebody changes users or settings. */
export function isLasting(error: unknown): boolean {
  return meaningOf(error)?.lasting === true
}

/** The server refused it, and not for a temporary reason. */
export function isRefusal(error: unknown): error is KeywrightError {
  return error instanceof KeywrightError && error.code.startsWith("SERVER.") && !passesByItself(error)
}

function meaningOf(error: unknown): ErrorMeaning | undefined {
  if (!(error instanceof KeywrightError) || !error.code.startsWith("SERVER.")) return undefined
  return TABLE[error.code.slice(7)]
}

export function isNoScript(error: KeywrightError): boolean {
  return error.code === "SERVER.NOSCRIPT"
}

/** An unknown command is echoed with its arguments, which are values. */
function withoutArguments(reply: string): string {
  const cut = reply.replace(/,? with args beginning with: .*$/s, "")
  return cut.length > SHOWN_CHARS ? `${cut.slice(0, SHOWN_CHARS)}…` : cut
}
