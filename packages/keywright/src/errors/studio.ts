/* What the studio's server answers when it does not do what it is asked. */

import { KeywrightError, type ErrorCode } from "./error.ts"
import { failedWith } from "./failed-at.ts"

export interface StudioIssue {
  readonly field: string
  readonly message: string
}

/** An answer with its own HTTP status. */
export class StudioRefusal extends KeywrightError {
  readonly status: number
  readonly issues: readonly StudioIssue[] | undefined

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    hints: { readonly why?: string; readonly fix?: string; readonly key?: string } = {},
    issues?: readonly StudioIssue[],
  ) {
    super(code, message, hints)
    this.status = status
    this.issues = issues
  }
}

// ── who may ask ──────────────────────────────────────────────────────────────

export const noSession = () =>
  new StudioRefusal(401, "STUDIO.NO_SESSION", "this tab has no session with the studio", {
    why: "The link that the studio printed works once; its session belongs to the tab that opened it and ends with the studio.",
    fix: "Continue in the tab where the studio is open, or start the studio again and open the link that it prints.",
  })

export const tokenUsed = () =>
  new StudioRefusal(401, "STUDIO.TOKEN", "this link has been used, or is not the studio's", {
    why: "The token in it works once, so that nobody else can use it from a history or a log.",
    fix: "Continue in the tab that it opened, or start the studio again.",
  })

export const hostRefused = () =>
  new StudioRefusal(403, "STUDIO.HOST", "the studio answers only under its own loopback address", {
    why: "Another name for this address could belong to a hostile page.",
    fix: "Open the link exactly as it was printed.",
  })

export const originRefused = () =>
  new StudioRefusal(403, "STUDIO.ORIGIN", "the request came from another page: the studio answers only its own", {
    fix: "Open the link that the studio printed in a new tab yourself.",
  })

export const methodRefused = (method: string) =>
  new StudioRefusal(405, "STUDIO.METHOD", `the studio does not know the method ${method.slice(0, 20)} here`, {
    fix: "Use the studio's own page.",
  })

export const readOnly = () =>
  new StudioRefusal(403, "STUDIO.READ_ONLY", "the studio was started read-only", {
    fix: "Start it with --write to change data.",
  })

export const revealOff = () =>
  new StudioRefusal(403, "STUDIO.REVEAL_OFF", "showing secrets is switched off", {
    fix: "Start the studio without --no-reveal.",
  })

export const portRefused = (port: number, cause: unknown) =>
  new KeywrightError("STUDIO.PORT", `the studio cannot listen on port ${port}`, {
    why: failedWith(cause),
    fix: "Choose another port, or none to use any free one.",
    cause,
  })

// ── what was asked ───────────────────────────────────────────────────────────

export const notJson = () =>
  new StudioRefusal(415, "STUDIO.NOT_JSON", "a request that changes something must be JSON, with that content type", {
    fix: "Send content-type: application/json.",
  })

export const requestRefused = (status: number) =>
  new StudioRefusal(
    status,
    "STUDIO.QUERY",
    status === 408 ? "the request did not arrive in time" : "the request is not understood",
    { fix: "Use the studio's own page, and load it again." },
  )

export const bodyRefused = (why: string) =>
  new StudioRefusal(400, "STUDIO.BODY", `the request's body is not understood: ${why}`, {
    fix: "Use the studio's own page, and load it again.",
  })

export const bodyTooLarge = (most: number) =>
  new StudioRefusal(413, "STUDIO.BODY_TOO_LARGE", `the request's body is longer than ${most} bytes`, {
    fix: "Change less at a time, or use a program.",
  })

export const queryRefused = (name: string, why: string) =>
  new StudioRefusal(400, "STUDIO.QUERY", `${name} is not understood: ${why}`, {
    fix: "Use the studio's own page, and load it again.",
  })

export const refRefused = () =>
  new StudioRefusal(400, "STUDIO.REF", "this link to a key cannot be read", {
    why: "It was cut off, or it hides a secret and was made before the studio was restarted.",
    fix: "Look for the key in its list again.",
  })

export const notFound = (what: string) =>
  new StudioRefusal(404, "STUDIO.NOT_FOUND", `there is no ${what}`, {
    fix: "Reload the page: it may show what is gone by now.",
  })

export const tooManyPages = () =>
  new StudioRefusal(429, "STUDIO.TOO_MANY_PAGES", "too many pages of the studio are open", {
    fix: "Close some of them.",
  })

export const underWay = (what: string) =>
  new StudioRefusal(409, "STUDIO.UNDER_WAY", `${what} is already running`, { fix: "Wait for it, or stop it." })

export const nothingFound = () =>
  new StudioRefusal(409, "STUDIO.NO_AUDIT", "there are no findings to make a plan from", { fix: "Run an audit first." })

export const changedMeanwhile = (key: string) =>
  new StudioRefusal(409, "STUDIO.CHANGED", `${key} was changed by somebody else since it was shown`, {
    key,
    fix: "Look at it again, and decide by its current state.",
  })

export const notConfirmed = (wanted: string) =>
  new StudioRefusal(400, "STUDIO.NOT_CONFIRMED", "the confirmation does not match the action", {
    fix: `Confirm with ${JSON.stringify(wanted)}.`,
  })

export const editRefused = (message: string, issues: readonly StudioIssue[]) =>
  new StudioRefusal(422, "STUDIO.EDIT", message, { fix: "Correct the fields that are named." }, issues)

export const notEditable = (key: string, why: string) =>
  new StudioRefusal(409, "STUDIO.NOT_EDITABLE", `${key} cannot be changed here: ${why}`, {
    key,
    fix: "Change it with a program, through its handle.",
  })

// ── a proposal ───────────────────────────────────────────────────────────────

export const noProposal = (system: string) =>
  new StudioRefusal(404, "STUDIO.NOT_FOUND", `there is no proposal for ${system}: its schema was declared`, {
    fix: "Start the studio with --infer to see what the keys suggest.",
  })

export const pathRefused = (path: string) =>
  new StudioRefusal(400, "STUDIO.PATH", `${JSON.stringify(path.slice(0, 200))} is not a place for a schema`, {
    why: "The studio writes only .ts files, in the folder where it was started.",
    fix: "For example schema.ts, or src/schema.ts.",
  })

export const fileTaken = (path: string) =>
  new StudioRefusal(409, "STUDIO.FILE_TAKEN", `${path} exists already`, {
    why: "The studio never writes over a file.",
    fix: "Choose another name, or remove the file first.",
  })

export const rulesUnconfirmed = (system: string) =>
  new StudioRefusal(409, "STUDIO.UNCONFIRMED", `the rules of ${system} are inferred, and nobody has confirmed them`, {
    why: "A repair by a rule that nobody declared could delete correct data.",
    fix: "Save the proposal as schema.ts, correct it, and start the studio with it.",
  })

// ── the console ──────────────────────────────────────────────────────────────

export const consoleSyntax = (why: string) =>
  new StudioRefusal(400, "CONSOLE.SYNTAX", `cannot parse this line: ${why}`, {
    fix: 'Separate words with spaces, and put a word that contains spaces in quotes: "two words".',
  })

export const consoleRefused = (name: string, why: string) =>
  new StudioRefusal(403, "CONSOLE.REFUSED", `the console does not run ${name}`, {
    why,
    fix: "Use redis-cli if you need it.",
  })

export const consoleSecret = (key: string) =>
  new StudioRefusal(403, "CONSOLE.SECRET", `${key} holds secrets, or may: the console does not show them`, {
    key,
    fix: "Open the key: its page shows what is not secret, and the rest on request.",
  })

export const consoleUnowned = (key: string, why: string) =>
  new StudioRefusal(403, "CONSOLE.UNOWNED", `the console does not write ${key}: ${why}`, {
    key,
    fix: "Declare its pattern in the schema first.",
  })

export const consoleTooLarge = (key: string) =>
  new StudioRefusal(409, "CONSOLE.TOO_LARGE", `${key} is too large to be read or deleted at once`, {
    key,
    why: "The server serves nobody else while it reads or frees more than 4 MB.",
    fix: "Read a part of it (HSCAN, SSCAN, ZSCAN, LINDEX), open its page, or delete it with UNLINK.",
  })
