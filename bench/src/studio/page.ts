/* A page of the studio without a browser: its session, and one call at a time. */

import { request } from "node:http"

export interface BenchPage {
  /** The JSON of a call, and the milliseconds it took. */
  get<T>(path: string): Promise<{ readonly json: T; readonly ms: number }>
}

export async function enterPage(url: string): Promise<BenchPage> {
  const { origin, searchParams } = new URL(url)
  const body = JSON.stringify({ token: searchParams.get("token") })
  const entered = await ask(origin, "/api/enter", { origin, "content-type": "application/json" }, body)
  const { session } = JSON.parse(entered.text) as { session: string }
  return {
    async get<T>(path: string) {
      const started = performance.now()
      const { status, text } = await ask(origin, path, { authorization: `Bearer ${session}` })
      const ms = performance.now() - started
      if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`)
      return { json: JSON.parse(text) as T, ms }
    },
  }
}

interface Timing {
  readonly status: number | undefined
  readonly text: string
}

const ask = (origin: string, path: string, headers: Record<string, string>, body?: string): Promise<Timing> =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST"
    const asked = request(`${origin}${path}`, { method, headers }, (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (part: string) => (text += part))
      answer.on("end", () => resolve({ status: answer.statusCode, text }))
    })
    asked.on("error", reject).end(body)
  })
