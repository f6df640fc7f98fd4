/* An answer that a view needs. While another one is on its way the old one stays, so
 * that nothing jumps; an answer that comes too late is dropped. */

import { useEffect, useState } from "preact/hooks"
import type { Failure } from "../../api.ts"
import { failureFrom } from "./call.ts"

export interface AnswerState<T> {
  readonly data: T | undefined
  readonly error: Failure["error"] | undefined
  readonly loading: boolean
  readonly again: () => void
}

/** `what` names the question: another name asks again. Undefined asks nothing. */
export function useAnswer<T>(what: string | undefined, ask: (signal: AbortSignal) => Promise<T>): AnswerState<T> {
  const [state, setState] = useState<{ what?: string; data?: T; error?: Failure["error"] }>({})
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (what === undefined) return
    const abort = new AbortController()
    ask(abort.signal).then(
      (data) => !abort.signal.aborted && setState({ what, data }),
      (thrown: unknown) => !abort.signal.aborted && setState({ what, error: failureFrom(thrown) }),
    )
    return () => abort.abort()
  }, [what, round])
  return {
    data: state.data,
    error: state.what === what ? state.error : undefined,
    loading: what !== undefined && state.what !== what,
    again: () => setRound((n) => n + 1),
  }
}
