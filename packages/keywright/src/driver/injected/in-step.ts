/* Whether the answers that a node-redis client passes on belong to the commands that they are taken for. When a
 * connection of node-redis 5 breaks while it is greeted, commands can stay among those that wait for an answer: on the
 * next connection, everybody then gets the answer to somebody else's command.
 *
 * So what is sent on a connection that is new, or may be, is followed by an ECHO, until one was answered rightly. */

import { randomUUID } from "node:crypto"
import { KeywrightError } from "../../errors/error.ts"
import { looksLikeReply } from "../server-errors.ts"

interface Reconnecting {
  readonly isReady?: boolean
  on(event: "reconnecting", listener: () => void): unknown
}

/** Where the user may not run it: that is an answer to it, too. */
const REFUSED = /^(NOPERM|ERR unknown command).*echo/i

type Echo = (word: string) => Promise<unknown>

const ofClients = new WeakMap<Reconnecting, InStep>()

/** One for each client. */
export function inStep(client: Reconnecting): InStep {
  let one = ofClients.get(client)
  if (one === undefined) ofClients.set(client, (one = new InStep(client)))
  return one
}

class InStep {
  readonly #client: Reconnecting
  /** How often it has connected again. */
  #losses = 0
  /** The same, when an ECHO was last answered rightly. */
  #checkedAt = -1

  constructor(client: Reconnecting) {
    this.#client = client
    client.on("reconnecting", () => void this.#losses++)
  }

  /** Rejects if the answer to `send` may be that to another command. */
  async answerTo<T>(send: () => Promise<T>, echo: Echo): Promise<T> {
    const losses = this.#losses
    if (this.#client.isReady === true && this.#checkedAt === losses) {
      const answer = await settled(send())
      if (this.#losses !== losses && answer.isReply) throw outOfStep()
      return answer.take()
    }
    const word = randomUUID()
    const [answer, echoed] = await Promise.all([settled(send()), settled(echo(word).then(String))])
    if (echoed.text === word || REFUSED.test(echoed.text)) this.#checkedAt = this.#losses
    else if (answer.isReply && !/queue is full/i.test(echoed.text)) throw outOfStep()
    return answer.take()
  }
}

const outOfStep = (): Error => new Error("the client may have passed on the answer to another command")

interface Settled<T> {
  /** The server's, if also an error. */
  readonly isReply: boolean
  readonly text: string
  take(): T
}

const settled = <T>(answer: Promise<T>): Promise<Settled<T>> =>
  answer.then(
    (value) => ({ isReply: true, text: typeof value === "string" ? value : "", take: () => value }),
    (error: unknown) => {
      const text = error instanceof Error ? error.message : ""
      const take = (): never => {
        throw error
      }
      return { isReply: !(error instanceof KeywrightError) && looksLikeReply(text), text, take }
    },
  )
