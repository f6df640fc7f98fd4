/* The errors of the drivers: what became of a call that got no usable answer.
 * Errors that the server itself replied with are made in driver/server-errors.ts. */

import { defined } from "./defined.ts"
import { KeywrightError } from "./error.ts"
import { failedWith } from "./failed-at.ts"
import { NotApplied, OutcomeUnknown, Refused } from "./outcome.ts"

/** `where` is the driver's label: an address without credentials. */
export const timedOutInQueue = (command: string, where: string, ms: number, cause: unknown): NotApplied =>
  new NotApplied("DRIVER.TIMEOUT", `${command} was not sent to ${where} within ${Math.round(ms)} ms`, {
    why: cause instanceof Error ? `No connection: ${cause.message}.` : "The connection took no more commands.",
    fix: isOfCertificate(cause)
      ? "Check the server's certificate: it must be for the name under which the server is reached, or that a node of a cluster announces (cluster-announce-hostname), and its authority must be known (`tls: { ca }`)."
      : "Check that the server is up and reachable; nothing was sent, so the call may be repeated.",
    cause,
  })

/** Whether Node refused a certificate: for another name, of an unknown authority, or expired. */
const isOfCertificate = (cause: unknown): boolean =>
  cause instanceof Error && /CERT|SELF_SIGNED|LEAF_SIGNATURE|ISSUER/.test(String((cause as { code?: unknown }).code))

export const timedOutInFlight = (command: string, where: string, ms: number): OutcomeUnknown =>
  new OutcomeUnknown("DRIVER.TIMEOUT", `${where} did not answer ${command} within ${Math.round(ms)} ms`, {
    why: "The command was sent; it may or may not have been carried out.",
    fix: "Repeat it only if doing it twice does no harm, or with the same operation id.",
  })

/** The time of a whole call was up before its (next) command was sent. */
export const outOfTime = (what: string, ms: number): NotApplied =>
  new NotApplied("DRIVER.TIMEOUT", `${what} was not sent within ${Math.round(ms)} ms`, {
    why: "Other calls were ahead of it, or what it read first took too long. It was not sent, so nothing was written.",
    fix: "Repeat the call, or give it more time with `timeoutMs`.",
  })

export const connectionLost = (command: string, where: string, cause: unknown): OutcomeUnknown =>
  new OutcomeUnknown("DRIVER.CONNECTION_LOST", `the connection to ${where} was lost before ${command} was answered`, {
    why: "The command was sent; it may or may not have been carried out.",
    fix: "Repeat it only if doing it twice does no harm, or with the same operation id.",
    cause,
  })

/**
 * A call that was sent again because its answer was lost, and then refused: the refusal says nothing about the first
 * attempt.
 */
export const refusedAgain = (command: string, where: string, refusal: KeywrightError): OutcomeUnknown =>
  new OutcomeUnknown(
    "DRIVER.CONNECTION_LOST",
    `the connection to ${where} was lost before ${command} was answered, and the next try failed: ${refusal.message}`,
    {
      why: "The command was sent before that; it may or may not have been carried out.",
      fix: "Repeat it only if doing it twice does no harm, or with the same operation id.",
      cause: refusal,
    },
  )

/** One of several servers refuses the connection: which one, and why. */
export function refusedBy(where: string, refusal: Refused): Refused {
  const { code, message, fix, why, details } = refusal
  return new Refused(code, `${where} refuses the connection: ${message}`, {
    ...defined({ why, fix, details }),
    cause: refusal,
  })
}

export const notSent = (command: string, where: string, cause: unknown): NotApplied =>
  new NotApplied("DRIVER.NOT_SENT", `${command} could not be sent to ${where}`, {
    why: cause instanceof Error ? failedWith(cause) : "There is no connection.",
    fix: "Check that the server is up and reachable; nothing was sent, so the call may be repeated.",
    cause,
  })

export const abortedInQueue = (command: string, cause: unknown): NotApplied =>
  new NotApplied("DRIVER.ABORTED", `${command} was aborted before it was sent`, {
    why: "The signal of the call was aborted. Nothing was sent.",
    fix: "Call again if it is still needed.",
    cause,
  })

export const abortedInFlight = (command: string, cause: unknown): OutcomeUnknown =>
  new OutcomeUnknown("DRIVER.ABORTED", `${command} was aborted after it was sent`, {
    why: "The server may still carry it out.",
    fix: "Read what it was to change before you repeat it; with an operation id, repeating it does no harm.",
    cause,
  })

export const queueFull = (command: string, where: string, calls: number, bytes: number): NotApplied =>
  new NotApplied("DRIVER.QUEUE_FULL", `${command} was refused: ${calls} calls (${bytes} bytes) wait for ${where}`, {
    why: "The queue is bounded, so that an unreachable server does not fill the memory.",
    fix: "Make fewer calls at a time, or raise `queueCalls` and `queueBytes`.",
    details: { calls, bytes },
  })

export const neverAnswered = (command: string, where: string, calls: number): NotApplied =>
  new NotApplied(
    "DRIVER.QUEUE_FULL",
    `${command} was refused: ${where} owes answers to ${calls} calls that were given up`,
    {
      why: "The client that was passed in keeps them until it is answered or loses its connection.",
      fix: "Give that client a limit of its own for a silent connection, such as socketTimeout.",
      details: { calls },
    },
  )

export const driverClosed = (command: string, where: string): NotApplied =>
  new NotApplied("DRIVER.CLOSED", `${command} was called after the connection to ${where} was closed`, {
    fix: "Close the client when everything else has ended, or connect again.",
  })

export const protocolBroken = (where: string, cause: Error): KeywrightError =>
  new KeywrightError("DRIVER.PROTOCOL", `${where} sent ${cause.message}`, {
    why: "What came is not RESP, so no later reply on this connection could be trusted.",
    fix: "Check that the address is that of a Redis server, and whether it expects TLS.",
    cause,
  })

/** What to do about a reply that is too large. */
const FIXES = {
  raise:
    "Read the value in parts (GETRANGE, LRANGE, HSCAN, SSCAN, ZSCAN, XRANGE), or raise `replyBytes` of the connection, also in an address: ?replyBytes=2000000000.",
  doubt:
    "No server answers this command with so much, and no string is read that is longer than 512 MB: check what listens at this address, or read the value in parts.",
  bytes: "Read the value in parts (GETRANGE), or as bytes: no text of JavaScript is longer.",
}

export function replyTooLarge(
  command: string,
  where: string,
  cause: Error & { readonly most: number },
  remedy: keyof typeof FIXES,
): OutcomeUnknown {
  return new OutcomeUnknown("DRIVER.REPLY_TOO_LARGE", `${where} answered ${command} with ${cause.message}`, {
    why: `No more than ${cause.most} bytes are read of this reply, what its elements take in memory included. The command was sent, and its reply would be the same again, so it was not repeated.`,
    fix: FIXES[remedy],
    details: { most: cause.most },
    cause,
  })
}

/** `found` and `expected` name the type of an answer, never its content. */
export const replyUnexpected = (command: string, found: string, expected: string): OutcomeUnknown =>
  new OutcomeUnknown("DRIVER.REPLY", `the server answered ${command} with ${found}, not with ${expected}`, {
    why: "No Redis server answers like that: the command may or may not have been carried out.",
    fix: "Check what listens at this address: a proxy, another program, or a broken server.",
  })

/** An honest server says so, too: of a deadline that was given in microseconds, for example. */
export const numberTooLarge = (command: string): OutcomeUnknown =>
  new OutcomeUnknown("DRIVER.REPLY", `the server answered ${command} with a whole number of 2^53 or more`, {
    why: "JavaScript would round it.",
    fix: "Correct what is stored: a deadline, for example, may have been set in microseconds.",
    details: { isTooLarge: true },
  })

export const cursorEndless = (command: string, pages: number, why: string): KeywrightError =>
  new KeywrightError("DRIVER.CURSOR", `${command} does not end: ${pages} pages so far`, {
    why,
    fix: "Check what listens at this address: a proxy, another program, or a broken server.",
    details: { pages },
  })

export const notForSharing = (command: string): NotApplied =>
  new NotApplied("DRIVER.COMMAND", `${command} cannot be sent on a shared connection`, {
    why: "It changes what the replies of all later commands mean.",
    fix: "Use `subscribe` or `multi` of the driver, or a client of your own.",
  })

export const noCommand = (): NotApplied =>
  new NotApplied("DRIVER.COMMAND", "an empty command cannot be sent", {
    why: "The server does not answer it, so every later caller would get the wrong reply.",
    fix: "Send an array that begins with the name of a command.",
  })

export const notSendable = (command: string, place: number, found: unknown): NotApplied =>
  new NotApplied(
    "DRIVER.ARGUMENT",
    `argument ${place} of ${command} is of type ${typeof found}, neither text nor bytes`,
    {
      why: "Only a string or a Uint8Array can go over the wire.",
      fix: "Encode the value first, for example with String(value).",
    },
  )

export const addressInvalid = (shown: string, why: string): KeywrightError =>
  new KeywrightError("DRIVER.ADDRESS", `${shown} is not an address of a Redis server`, {
    why,
    fix: 'Write "redis://user:password@host:6379/0", "rediss://…" for TLS, or "unix:///path/to/redis.sock".',
  })

export const clientUnknown = (found: string): KeywrightError =>
  new KeywrightError("DRIVER.CLIENT", `the client that was passed in is ${found}`, {
    why: "It does not look like a node-redis 5/6 client, pool or cluster, or an ioredis 5/6 client or cluster.",
    fix: "Pass what `createClient`, `createClientPool`, `createCluster` or `new Redis` returned, or an address.",
  })

export const clientRefuses = (what: string, fix: string): KeywrightError =>
  new KeywrightError("DRIVER.CLIENT", what, { fix })

/** Client libraries follow a moving slot in different ways, and some do not. */
export const shardedNotHeard = (where: string): Refused =>
  new Refused("DRIVER.SHARDED_CHANNELS", `${where} cannot subscribe to sharded channels`, {
    why: "A client that was passed in does not report when a channel moves to another node.",
    fix: "Connect by address instead of passing in a client, or subscribe with that client itself.",
  })

/** `what` would depend on which node has a key, or on all nodes. */
export const clusterClientCannot = (what: string, where: string): Refused =>
  new Refused("DRIVER.CLUSTER_CLIENT", `${where} cannot ${what}`, {
    why: "This needs separate connections to certain nodes, and a client that was passed in does not report when a slot moves to another node.",
    fix: "Connect by address instead of passing in a cluster client.",
  })

export const embeddedMissing = (cause: unknown): KeywrightError =>
  new KeywrightError("DRIVER.EMBEDDED", "no address was given, and the embedded engine is not installed", {
    why: "The package @keywright/embedded is an optional dependency: npm leaves it out with --omit=optional.",
    fix: 'Run `npm install @keywright/embedded`, give an address (REDIS_URL), or use "local:" with a server on this machine.',
    cause,
  })

export const localServerFailed = (file: string, said: string, cause: unknown): KeywrightError =>
  new KeywrightError("DRIVER.LOCAL_SERVER", `${file} was started for "local:" and did not answer`, {
    why: failedWith(said.trim().split("\n").slice(-3).join("; ") || cause),
    fix: 'Start it yourself to see why, give an address, or use "memory:" for the embedded engine.',
    cause,
  })

export const noSuchDatabase = (db: number, where: string, cause?: unknown): KeywrightError =>
  new KeywrightError("DRIVER.DATABASE", `${where} has no database ${db}`, {
    why:
      cause instanceof Error
        ? failedWith(cause)
        : "A cluster has only database 0; other servers number their databases from 0.",
    fix: "Use database 0, a server without cluster mode, or Valkey from version 9 on with cluster-databases.",
    ...(cause !== undefined && { cause }),
  })

export const transactionBroken = (cause: KeywrightError): OutcomeUnknown =>
  new OutcomeUnknown("DRIVER.MULTI", `the server refused MULTI: ${cause.message}`, {
    why: "The commands after it were carried out, or refused, one by one.",
    fix: "Allow this user the transaction commands (ACL category @transaction).",
    cause,
  })

export const batchHalfSent = (cause: KeywrightError): OutcomeUnknown =>
  new OutcomeUnknown("DRIVER.HALF_SENT", "a part of the batch was carried out, and the rest was not", {
    why: "The client lost its connection, the deadline passed, or one of several nodes refused its part.",
    fix: "Use `multi` or a script for commands that belong together.",
    cause,
  })
