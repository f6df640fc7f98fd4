/* A stream of events (text/event-stream) read by hand: EventSource cannot send the session. */

import type { Events } from "../../api.ts"

export type NamedEvent = {
  readonly [Name in keyof Events]: { readonly name: Name; readonly data: Events[Name] }
}[keyof Events]

/** Takes pieces of the stream as they arrive, and returns the events that are complete. */
export class EventReader {
  #rest = ""

  push(text: string): NamedEvent[] {
    const blocks = `${this.#rest}${text}`.split("\n\n")
    this.#rest = blocks.pop() ?? ""
    return blocks.flatMap((block) => eventOf(block) ?? [])
  }
}

/** Comments, which only show that the studio is still running, are not events. */
function eventOf(block: string): NamedEvent | undefined {
  const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? []
  return name === undefined || data === undefined ? undefined : ({ name, data: JSON.parse(data) } as NamedEvent)
}

/** Reads to the end of the answer. */
export async function readEvents(answer: Response, onEvent: (event: NamedEvent) => void): Promise<void> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const events = new EventReader()
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read())
    for (const event of events.push(read.value)) onEvent(event)
}
