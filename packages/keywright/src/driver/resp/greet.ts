/* The first commands on a new transport: protocol, user, database, and who we are. All go
 * in one write. A server that does not know HELLO is spoken to in RESP2; one that does
 * not know CLIENT SETINFO is left alone. */

import { protocolBroken } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { Refused } from "../../errors/outcome.ts"
import type { Command, Reply, Transport } from "../driver.ts"
import { saidIn } from "../server-errors.ts"
import { Call } from "./call.ts"
import { type Greeted, Link, type LinkOwner } from "./link.ts"

export interface Greeting {
  /** For messages. */
  readonly label: string
  readonly protocol: 2 | 3
  readonly username: string | undefined
  readonly password: string | undefined
  readonly db: number
  /** The name shown by CLIENT LIST. */
  readonly name: string | undefined
  readonly replyBytes: number
  /** Asks a replica of a cluster to answer reads. */
  readonly readOnly?: boolean | undefined
  /** Without HELLO, asks in other ways whether this is a node of a cluster, and a primary. */
  readonly asksWho?: boolean | undefined
}

/** A link that is authenticated and in the right database. Rejects with the server's refusal, or when it ends. */
export async function greet(transport: Transport, greeting: Greeting, signal: AbortSignal): Promise<Link> {
  const talk = new GreetingLink(transport, greeting)
  const stop = () => talk.link.end(signal.reason as Error)
  signal.addEventListener("abort", stop, { once: true })
  try {
    if (signal.aborted) stop()
    await (greeting.protocol === 3 ? sayHello(talk, greeting) : introduce(talk, greeting))
    return talk.link
  } catch (error) {
    talk.link.end(error as Error)
    throw error
  } finally {
    signal.removeEventListener("abort", stop)
  }
}

async function sayHello(talk: GreetingLink, greeting: Greeting): Promise<void> {
  const { username = "default", password } = greeting
  const hello: Command = ["HELLO", "3", ...(password === undefined ? [] : ["AUTH", username, password])]
  talk.link.protocol = 3
  const [first, ...others] = await talk.ask([hello, ...settings(greeting)])
  if (first instanceof KeywrightError) {
    if (!speaksNoHello(first)) throw first
    talk.link.protocol = 2
    await introduce(talk, greeting)
    return
  }
  if (!namesProtocol3(first)) throw protocolBroken(greeting.label, new Error("an answer to HELLO without protocol 3"))
  demand(greeting, others.slice(0, greeting.db === 0 ? 0 : 1))
  talk.link.greeted = greetedBy(first)
}

/** The flattened map of HELLO. */
function greetedBy(reply: Reply | undefined): Greeted {
  if (!Array.isArray(reply)) return {}
  const field = (name: string) => {
    const at = reply.indexOf(name)
    return at >= 0 && at % 2 === 0 ? String(reply[at + 1]) : undefined
  }
  return who(field("mode"), field("role"), field("id"))
}

function who(mode: string | undefined, role: string | undefined, clientId: string | undefined): Greeted {
  return {
    ...(clientId !== undefined && { clientId }),
    ...(mode !== undefined && { mode }),
    ...(role !== undefined && { role: role === "master" ? ("primary" as const) : ("replica" as const) }),
  }
}

async function introduce(talk: GreetingLink, greeting: Greeting): Promise<void> {
  const { username, password } = greeting
  const auth: Command[] =
    password === undefined ? [] : [["AUTH", ...(username === undefined ? [] : [username]), password]]
  const asked: Command[] = greeting.asksWho === true ? [["INFO", "cluster"], ["ROLE"]] : []
  const replies = await talk.ask([...auth, ["PING"], ...settings(greeting), ["CLIENT", "ID"], ...asked])
  demand(greeting, replies.slice(0, auth.length))
  if (!isBusy(replies[auth.length])) demand(greeting, replies.slice(auth.length, auth.length + 1))
  demand(greeting, replies.slice(auth.length + 1, auth.length + (greeting.db === 0 ? 1 : 2)))
  const [id, info, role] = replies.slice(replies.length - asked.length - 1)
  const clientId = typeof id === "number" ? String(id) : undefined
  const isCluster = typeof info === "string" && /^cluster_enabled:1/m.test(info)
  const mode = isCluster ? "cluster" : "standalone"
  const roleName = Array.isArray(role) ? String(role[0]) : undefined
  talk.link.greeted = greeting.asksWho === true ? who(mode, roleName, clientId) : who(undefined, undefined, clientId)
}

/** SELECT first, because it must succeed; what follows may be unknown to the server or forbidden. */
function settings({ db, name, readOnly }: Greeting): Command[] {
  const commands: Command[] = []
  if (db !== 0) commands.push(["SELECT", String(db)])
  if (readOnly === true) commands.push(["READONLY"])
  if (name !== undefined) commands.push(["CLIENT", "SETNAME", name])
  commands.push(["CLIENT", "SETINFO", "LIB-NAME", "keywright"])
  return commands
}

/**
 * Statuses that must be there: a user that is not known, or a database that was not selected, must not be taken for
 * granted because the server was busy. It is greeted again later.
 */
function demand({ label }: Greeting, replies: readonly Reply[]): void {
  for (const reply of replies) {
    if (typeof reply === "string") continue
    throw reply instanceof KeywrightError ? reply : protocolBroken(label, new Error("a greeting without a status"))
  }
}

/** It answers, if only to say that it cannot serve now. */
const isBusy = (reply: Reply | undefined): boolean =>
  reply instanceof KeywrightError && /^SERVER\.(LOADING|BUSY|MASTERDOWN|MISCONF)$/.test(reply.code)

/** The flattened map: `["server", "redis", …, "proto", 3, …]`. */
function namesProtocol3(reply: Reply | undefined): boolean {
  if (!Array.isArray(reply)) return false
  const at = reply.indexOf("proto")
  return at >= 0 && at % 2 === 0 && reply[at + 1] === 3
}

function speaksNoHello(error: KeywrightError): boolean {
  return (
    error.code === "SERVER.NOPROTO" ||
    error.code === "SERVER.NOPERM" ||
    (error instanceof Refused && /unknown command/i.test(saidIn(error)))
  )
}

const SHORTEST_SECRET = 4

/** A link whose calls are ours alone, until it is handed over. */
class GreetingLink {
  readonly link: Link

  constructor(transport: Transport, { label, name, replyBytes, password = "" }: Greeting) {
    const owner: LinkOwner = {
      label,
      onAnswer: (call, reply) => call.resolve(reply as never),
      onRoom: () => undefined,
      onEnd: (link, reason) => {
        for (let call = link.inFlight.shift(); call !== undefined; call = link.inFlight.shift()) {
          call.reject(reason ?? new Error("the server closed the connection"))
        }
      },
    }
    this.link = new Link(transport, owner, { replyBytes })
    this.link.name = name
    // A short password occurs in many words, and is no secret.
    if (password.length >= SHORTEST_SECRET) this.link.password = password
  }

  ask(commands: readonly Command[]): Promise<readonly Reply[]> {
    return new Promise((resolve, reject) => {
      if (this.link.ended) return reject(new Error("the server closed the connection"))
      this.link.add(new Call("batch", commands[0] ?? [], commands, undefined, undefined, Infinity, resolve, reject))
      this.link.flush()
    })
  }
}
