/* A page of the studio without a browser: the cookie, and one call at a time. */

import { request } from "node:http"

export interface BenchPage {
  /** The JSON of a call, and the milliseconds it took. */
  get<T>(path: string): Promise<{ readonly json: T; readonly ms: number }>
}

export async function enterPage(url: string): Promise<BenchPage> {
  const { origin, host, pathname, search } = new URL(url)
  const entered = await ask(origin, `${pathname}${search}`, {})
  const cookie = String(entered.headers["set-cookie"]).split(";")[0]!
  return {
    async get<T>(path: string) {
      const started = performance.now()
      const { status, text } = await ask(origin, path, { cookie, host })
      const ms = performance.now() - started
      if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`)
      return { json: JSON.parse(text) as T, ms }
    },
  }
}

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

const ask = (origin: string, path: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(`${origin}${path}`, { headers }, (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (part: string) => (text += part))
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }))
    })
    asked.on("error", reject).end()
  })
