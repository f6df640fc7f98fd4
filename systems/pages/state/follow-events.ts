import { readEvents, type StreamEvent } from "studio/state/event-stream.ts"

export interface Following {
  stop(): void
}

const AGAIN_MS = 1000

/** Follows a stream of events for as long as it can be opened, from where it was cut. */
export function follow(url: string, authorization: string, onEvent: (event: StreamEvent) => void): Following {
  const ending = new AbortController()
  let last: string | undefined
  const read = async (): Promise<boolean> => {
    const headers = { authorization, ...(last !== undefined && { "last-event-id": last }) }
    const answer = await fetch(url, { headers, signal: ending.signal })
    if (!answer.ok) return answer.status >= 500
    await readEvents(answer, (event) => {
      last = event.id ?? last
      onEvent(event)
    })
    return true
  }
  const loop = async () => {
    while (!ending.signal.aborted) {
      const mayContinue = await read().catch(() => true)
      if (!mayContinue) return
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
  void loop()
  return { stop: () => ending.abort() }
}
