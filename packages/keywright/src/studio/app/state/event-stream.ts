/* A stream of events (text/event-stream) read by hand: EventSource cannot send a session or a token. */

export interface StreamEvent {
  readonly id: string | undefined
  readonly name: string
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

/** Comments, which only show that the server is still running, are not events. */
function eventOf(block: string): StreamEvent | undefined {
  const fields = new Map(
    block.split("\n").flatMap((line) => {
      const colon = line.indexOf(": ")
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 2)] as const] : []
    }),
  )
  const [name, data] = [fields.get("event"), fields.get("data")]
  return name === undefined || data === undefined ? undefined : { id: fields.get("id"), name, data: JSON.parse(data) }
}

/** Reads to the end of the answer. */
export async function readEvents(answer: Response, onEvent: (event: StreamEvent) => void): Promise<void> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const events = new EventReader()
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read())
    for (const event of events.push(read.value)) onEvent(event)
}
