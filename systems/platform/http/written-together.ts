import { nextTogetherOf } from "../next-together.ts"
import { RouteReply, WrittenJson } from "./answer.ts"

/** Large answers that are the same for everybody: made and written once for all who ask for the same at the same time. */
export function writtenTogether(answer: (name: string) => Promise<unknown>): (name: string) => Promise<RouteReply> {
  const ask = nextTogetherOf(async (name) => new WrittenJson(await answer(name)))
  return async (name) => new RouteReply(200, await ask(name))
}
