/* Whether the answers that a node-redis client passes on belong to the commands that they are taken for. When a
 * connection of node-redis 5 breaks while it is greeted, commands can stay among those that wait for an answer: on the
 * next connection, everybody then gets the answer to somebody else's command.
 *
 * So what is sent on a connection that is new, or may be, is followed by an ECHO, until one was answered rightly. */

import { randomUUID } from "node:crypto"
import { KeywrightError } from "../../errors/error.ts"
import { looksLikeReply, saidIn } from "../server-errors.ts"

interface Reconnecting {
  readonly isReady?: boolean
  on(event: "reconnecting", listener: () => void): unknown
}

/** Where the user may not run it, or not on a connection that listens to channels: that is an answer to it, too. */
const REFUSED = /^(NOPERM|ERR unknown command|ERR Can't execute).*echo/i

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
    // Another client of a cluster may send them in another order: what counts is that one connection answered both.
    const heard = async (given: Promise<unknown>) => ({ ...(await settled(given)), losses: this.#losses })
    const [answer, echoed] = await Promise.all([heard(send()), heard(echo(word).then(String))])
    const isRight = echoed.text === word || REFUSED.test(echoed.text)
    if (isRight && (!answer.isReply || answer.losses === echoed.losses)) this.#checkedAt = echoed.losses
    else if (answer.isReply && !/queue is full/i.test(echoed.text) && !refusesAll(answer, echoed)) throw outOfStep()
    return answer.take() as T
  }
}

const outOfStep = (): Error => new Error("the client may have passed on the answer to another command")

interface Settled<T> {
  /** The server's, if also an error. */
  readonly isReply: boolean
  readonly text: string
  /** The first word of an error reply: of the first one, in a transaction. */
  readonly refusal: string | undefined
  take(): T
}

const settled = <T>(answer: Promise<T>): Promise<Settled<T>> =>
  answer.then(
    (value) => {
      const failed = Array.isArray(value) ? value.find((item) => item instanceof KeywrightError) : undefined
      const refusal = failed && firstWord(saidIn(failed))
      return { isReply: true, text: typeof value === "string" ? value : "", refusal, take: () => value }
    },
    (error: unknown) => {
      const text = error instanceof Error ? error.message : ""
      const take = (): never => {
        throw error
      }
      const isReply = !(error instanceof KeywrightError) && looksLikeReply(text)
      return { isReply, text, refusal: isReply ? firstWord(text) : undefined, take }
    },
  )

const firstWord = (text: string): string => text.split(" ", 1)[0]!

/** A server that is BUSY or LOADING, or waits for AUTH, refuses an ECHO like any other command. */
const refusesAll = (answer: Settled<unknown>, echoed: Settled<unknown>): boolean =>
  echoed.refusal !== undefined && echoed.refusal !== "ERR" && echoed.refusal === answer.refusal
