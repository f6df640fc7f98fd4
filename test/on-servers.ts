/* The same tests on a real redis-server and on the embedded engine. */

import { isFull } from "./full.ts"
import { pathOf } from "./needs.ts"

/** Runs the tests of `body` on one kind of server. */
type OnServer<S> = (title: string, body: (server: () => S) => void) => void

/** Runs tests on both. */
export function both<S>(onReal: OnServer<S>, onEmbedded: OnServer<S>): OnServer<S> {
  return (title, body) => {
    onReal(title, body)
    onEmbedded(title, body)
  }
}

/** For what no engine should change: on a real server if there is one, and in the full run on both. */
export const either = <S>(onReal: OnServer<S>, onEmbedded: OnServer<S>): OnServer<S> =>
  isFull || pathOf("redis-server") === undefined ? both(onReal, onEmbedded) : onReal
