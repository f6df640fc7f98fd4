/* A page as tests have it: exchanges the token of the link for a session, speaks the API. */

import { request } from "node:http"
import type { Api, Events, Failure } from "../api.ts"
import type { RunningStudio } from "./start-studio.ts"

type Parts<R> = R extends { readonly answer: infer A } ? A : never
type Given = {
  readonly system?: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** One request, exactly as it is said: no header is added or corrected. */
export const ask = (
  port: number,
  {
    method = "GET",
    path = "/",
    headers = {},
    body,
  }: { method?: string; path?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const asked = request(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        headers,
        agent: false,
        setHost: headers["host"] === undefined && headers["Host"] === undefined,
      },
      (answer) => {
        let text = ""
        answer.setEncoding("utf8")
        answer.on("data", (part: string) => (text += part))
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      },
    )
    asked.on("error", reject)
    asked.end(body)
  })

export interface StudioClient {
  /** The headers of the studio's own page. */
  readonly own: Readonly<Record<string, string>>
  readonly port: number
  raw(route: string, given?: Given): Promise<Answered>
  /** The answer; throws what is not 2xx. */
  call<R extends keyof Api>(route: R, given?: Given): Promise<Parts<Api[R]>>
  /** The failure of a call that is refused. */
  refused<R extends keyof Api>(route: R, given?: Given): Promise<Failure["error"] & { status: number }>
  /** The first event of this name that fits. */
  event<N extends keyof Events>(name: N, fits?: (data: Events[N]) => boolean, live?: string): Promise<Events[N]>
}

export async function enter({ url, port }: RunningStudio): Promise<StudioClient> {
  const page = { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` }
  const entered = await ask(port, {
    method: "POST",
    path: "/api/enter",
    headers: { ...page, "content-type": "application/json" },
    body: JSON.stringify({ token: new URL(url).searchParams.get("token") }),
  })
  const { session } = JSON.parse(entered.text) as { session: string }
  const own = { ...page, authorization: `Bearer ${session}` }
  const raw = (route: string, { system = "", query = {}, body }: Given = {}) => {
    const [method = "", path = ""] = route.split(" ")
    const words = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) words.set(name, String(value))
    const full = path.replace(":system", encodeURIComponent(system)) + (words.size > 0 ? `?${words}` : "")
    return method === "POST"
      ? ask(port, {
          method,
          path: full,
          headers: { ...own, "content-type": "application/json" },
          body: JSON.stringify(body ?? {}),
        })
      : ask(port, { method, path: full, headers: own })
  }
  return {
    own,
    port,
    raw,
    async call(route, given) {
      const { status, text } = await raw(route, given)
      if (status !== 200) throw new Error(`${route}: ${status} ${text}`)
      return JSON.parse(text) as never
    },
    async refused(route, given) {
      const { status, text } = await raw(route, given)
      if (status < 400) throw new Error(`${route} was not refused: ${text.slice(0, 500)}`)
      return { status, ...(JSON.parse(text) as Failure).error }
    },
    event: (name, fits = () => true, live) =>
      new Promise((resolve, reject) => {
        const path = `/api/events${live === undefined ? "" : `?live=${live}`}`
        const asked = request({ host: "127.0.0.1", port, path, headers: own }, (answer) => {
          let text = ""
          answer.setEncoding("utf8")
          answer.on("data", (part: string) => {
            text += part
            for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
              const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text.slice(0, end)) ?? []
              text = text.slice(end + 2)
              if (event !== name || !fits(JSON.parse(data!) as never)) continue
              asked.destroy()
              resolve(JSON.parse(data!) as never)
            }
          })
        })
        asked.on("error", reject)
        asked.end()
      }),
  }
}
