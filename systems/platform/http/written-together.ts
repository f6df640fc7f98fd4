import { clientTurns } from "../client-turns.ts"
import { whileUp } from "../few-at-once.ts"
import { nextTogetherOf } from "../next-together.ts"
import { RouteReply, WrittenJson } from "./answer.ts"

/** Large answers that are the same for everybody: made and written once for all who ask for the same one at the same time. */
export function writtenTogether(answer: (name: string) => Promise<unknown>): (name: string) => Promise<RouteReply> {
  const ask = nextTogetherOf(async (name) => new WrittenJson(await answer(name)))
  return async (name) => new RouteReply(200, await ask(name))
}

/** Answers at once, for all clients together. */
const AT_ONCE = 4

/**
 * The same where anybody may ask for many different answers: clients take turns, a few at a time. A client shares answers
 * only with itself, because joining another client's request would mean waiting for that client's turn.
 */
export function writtenInTurns(
  redis: { readonly isUp: boolean },
  what: string,
  answer: (name: string) => Promise<unknown>,
): (client: string, name: string) => Promise<RouteReply> {
  const inTurn = clientTurns({ parallel: AT_ONCE, what })
  const ask = writtenTogether((asked) => {
    const end = asked.indexOf(" ")
    const [client, name] = [asked.slice(0, end), asked.slice(end + 1)]
    return inTurn(
      client,
      whileUp(redis, () => answer(name)),
    )
  })
  return (client, name) => ask(`${client} ${name}`)
}
