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
  TRYAGAIN: { type: NotApplied, again: true, fix: "Try again: keys of one slot are moving to another node." },
  CLUSTERDOWN: { type: NotApplied, again: true, fix: "Wait until the cluster covers all slots again." },
  BUSY: { type: NotApplied, again: true, fix: "End the script that runs for too long (SCRIPT KILL)." },
  // a state of the server; nothing was applied
  MASTERDOWN: { type: NotApplied, fix: "Connect to a primary: this replica has lost its own." },
  READONLY: { type: NotApplied, fix: "Connect to the primary: this is a replica." },
  OOM: { type: NotApplied, fix: "Free or add memory: the server is at its maxmemory." },
  MISCONF: { type: NotApplied, fix: "See the server's log: it cannot persist." },
  NOREPLICAS: { type: NotApplied, fix: "Check the replicas: fewer follow than min-replicas-to-write asks for." },
  MOVED: { type: NotApplied, fix: "Leave out cluster=off, or pass in a cluster client: this is a node of a cluster." },
  ASK: { type: NotApplied, fix: "Leave out cluster=off, or pass in a cluster client: this is a node of a cluster." },
  UNBLOCKED: { type: NotApplied, fix: "Try again: the server ended the blocking command." },
  // a mistake of the caller, or of the set-up
  NOAUTH: { type: Refused, lasting: true, fix: "Give a user and a password." },
  WRONGPASS: { type: Refused, lasting: true, fix: "Check user and password." },
  NOPERM: { type: Refused, lasting: true, fix: "Allow this ACL user the command and the keys." },
  NOPROTO: { type: Refused, fix: "Use another version of RESP: the server does not speak this one." },
  DENIED: { type: Refused, lasting: true, fix: "Set a password: the server runs in protected mode." },
  WRONGTYPE: { type: WrongType, fix: "Find the program that uses this key for another type." },
  NOSCRIPT: { type: Refused, fix: "Send the script itself with EVAL." },
  EXECABORT: { type: Refused, fix: "See the command of the transaction that was refused: none was carried out." },
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
  const first = /^[A-Z][A-Z0-9_.]{0,63}(?= |$)/.exec(reply)?.[0] ?? "ERR"
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
