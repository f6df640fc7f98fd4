/* The first words on a new transport: protocol, user, database, and who we are.
 * All go in one write. A server that does not know HELLO is spoken to in RESP2;
 * one that does not know CLIENT SETINFO is not bothered further. */

import { KeywrightError } from "../../errors/error.ts"
import { Refused } from "../../errors/outcome.ts"
import type { Command, Reply, Transport } from "../driver.ts"
import { Call } from "./call.ts"
import { Link } from "./link.ts"

export interface Greeting {
  /** For messages. */
  readonly label: string
  readonly protocol: 2 | 3
  readonly username: string | undefined
  readonly password: string | undefined
  readonly db: number
  /** The name shown by CLIENT LIST. */
  readonly name: string | undefined
}

/** A link that is authenticated and in the right database. Rejects with the server's refusal, or when it ends. */
export async function greet(transport: Transport, greeting: Greeting, signal: AbortSignal): Promise<Link> {
  const talk = new Talk(transport, greeting.label)
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

async function sayHello(talk: Talk, greeting: Greeting): Promise<void> {
  const { username = "default", password } = greeting
  const hello: Command = ["HELLO", "3", ...(password === undefined ? [] : ["AUTH", username, password])]
  talk.link.protocol = 3
  const [first, ...others] = await talk.ask([hello, ...settings(greeting)])
  if (first instanceof KeywrightError) {
    if (!speaksNoHello(first)) throw first
    talk.link.protocol = 2
    await introduce(talk, greeting)
  } else demand(others, greeting.db === 0 ? 0 : 1)
}

async function introduce(talk: Talk, greeting: Greeting): Promise<void> {
  const { username, password } = greeting
  const auth: Command[] =
    password === undefined ? [] : [["AUTH", ...(username === undefined ? [] : [username]), password]]
  const replies = await talk.ask([...auth, ["PING"], ...settings(greeting)])
  demand(replies, auth.length + 1 + (greeting.db === 0 ? 0 : 1))
}

/** SELECT first, because it must succeed; what follows may be unknown to the server or forbidden. */
function settings({ db, name }: Greeting): Command[] {
  const commands: Command[] = []
  if (db !== 0) commands.push(["SELECT", String(db)])
  if (name !== undefined) commands.push(["CLIENT", "SETNAME", name])
  commands.push(["CLIENT", "SETINFO", "LIB-NAME", "keywright"])
  return commands
}

function demand(replies: readonly Reply[], count: number): void {
  for (const reply of replies.slice(0, count)) {
    const harmless = reply instanceof KeywrightError && /^SERVER\.(LOADING|BUSY|MASTERDOWN|MISCONF)$/.test(reply.code)
    if (reply instanceof KeywrightError && !harmless) throw reply
  }
}

function speaksNoHello(error: KeywrightError): boolean {
  return (
    error.code === "SERVER.NOPROTO" ||
    error.code === "SERVER.NOPERM" ||
    (error instanceof Refused && /unknown command/i.test(error.message))
  )
}

/** A link whose calls are ours alone, until it is handed over. */
class Talk {
  readonly link: Link

  constructor(transport: Transport, label: string) {
    this.link = new Link(transport, {
      label,
      onAnswer: (call, reply) => call.resolve(reply as never),
      onRoom: () => undefined,
      onEnd: (link, reason) => {
        for (let call = link.inFlight.shift(); call !== undefined; call = link.inFlight.shift()) {
          call.reject(reason ?? new Error("the server closed the connection"))
        }
      },
    })
  }

  ask(commands: readonly Command[]): Promise<readonly Reply[]> {
    return new Promise((resolve, reject) => {
      if (this.link.ended) return reject(new Error("the server closed the connection"))
      this.link.add(new Call("batch", commands[0] ?? [], commands, undefined, undefined, Infinity, resolve, reject))
      this.link.flush()
    })
  }
}
