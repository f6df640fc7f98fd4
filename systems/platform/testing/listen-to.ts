/* A reader of server-sent events, over plain HTTP. */

import http from "node:http"

export interface Heard {
  readonly id: string | undefined
  readonly event: string
  readonly data: never
}

export interface Ear {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** All events so far. */
  readonly heard: readonly Heard[]
  /** Comments: what keeps an idle stream open. */
  readonly beats: number
  /** Resolves with the first event that fits, also one that is there already. */
  until(fits: (event: Heard) => boolean): Promise<Heard>
  /** Resolves when the stream has ended, however. */
  readonly ended: Promise<void>
  /** Stops reading, and keeps the connection. */
  pause(): void
  close(): void
}

/** `listenTo(url, "/v1/roc/events", { authorization: … })`; resolves when the answer begins. */
export async function listenTo(url: string, path: string, headers: Readonly<Record<string, string>>): Promise<Ear> {
  const request = http.get(url + path, { headers, agent: false })
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on("response", resolve)
    request.on("error", reject)
  })
  const heard: Heard[] = []
  const waiting = new Set<() => void>()
  let [pending, beats] = ["", 0]
  answer.setEncoding("utf8")
  answer.on("data", (text: string) => {
    const blocks = (pending + text).split("\n\n")
    pending = blocks.pop()!
    for (const block of blocks) {
      const event = eventOf(block)
      if (event === undefined) beats += block.startsWith(":") ? 1 : 0
      else heard.push(event)
    }
    for (const look of waiting) look()
  })
  answer.on("error", () => {})
  const ended = new Promise<void>((resolve) => answer.on("close", resolve))
  return {
    status: answer.statusCode!,
    headers: answer.headers,
    heard,
    get beats() {
      return beats
    },
    until: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = heard.find(fits)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        void ended.then(() => reject(new Error(`the stream ended after ${JSON.stringify(heard.slice(-3))}`)))
        look()
      }),
    ended,
    pause: () => void answer.pause(),
    close: () => request.destroy(),
  }
}

function eventOf(block: string): Heard | undefined {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  )
  const event = fields.get("event")
  if (event === undefined) return undefined
  return { id: fields.get("id"), event, data: JSON.parse(fields.get("data")!) as never }
}
