/* A stream of events (text/event-stream) read by hand: EventSource cannot send a token. */

export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: unknown
}

/** Takes pieces of the stream as they arrive, and returns the events that are complete. */
export class EventReader {
  #rest = ""

  push(text: string): StreamEvent[] {
    const blocks = `${this.#rest}${text}`.split("\n\n")
    this.#rest = blocks.pop() ?? ""
    return blocks.flatMap((block) => eventOf(block) ?? [])
  }
}

/** Comments, which only say that the server is still there, are not events. */
function eventOf(block: string): StreamEvent | undefined {
  const fields = new Map(
    block.split("\n").flatMap((line) => {
      const colon = line.indexOf(": ")
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 2)] as const] : []
    }),
  )
  const [event, data] = [fields.get("event"), fields.get("data")]
  return event === undefined || data === undefined ? undefined : { id: fields.get("id"), event, data: JSON.parse(data) }
}

export interface Following {
  stop(): void
}

const AGAIN_MS = 1000

/** Follows a stream for as long as it can be opened, from where it was cut. */
export function follow(url: string, authorization: string, onEvent: (event: StreamEvent) => void): Following {
  const ending = new AbortController()
  let last: string | undefined
  const read = async (): Promise<boolean> => {
    const headers = { authorization, ...(last !== undefined && { "last-event-id": last }) }
    const answer = await fetch(url, { headers, signal: ending.signal })
    if (!answer.ok) return answer.status >= 500
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    const events = new EventReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      for (const event of events.push(part.value)) {
        last = event.id ?? last
        onEvent(event)
      }
    }
    return true
  }
  const loop = async () => {
    while (!ending.signal.aborted) {
      const goesOn = await read().catch(() => true)
      if (!goesOn) return
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
  void loop()
  return { stop: () => ending.abort() }
}
