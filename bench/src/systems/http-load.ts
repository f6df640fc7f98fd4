/* A load of one request, over connections kept open: each sends the next one when its
 * answer has come. It reads no more of an answer than its status and its length, so
 * that the machine is left to the servers. */

import net from "node:net"

export interface LoadRequest {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly body?: unknown
  /** What each answer must be. */
  readonly status: number
}

/** One request over and over; or for each connection its own ones, in turn. */
export type LoadPlan = LoadRequest | readonly (readonly LoadRequest[])[]

export interface Load {
  /** Sends `n` requests and waits for all answers. */
  loop(n: number): Promise<void>
  close(): void
}

export function openLoad(url: string, plan: LoadPlan, connections: number): Load {
  const { hostname, port } = new URL(url)
  const turns = Array.from({ length: connections }, (_, i) =>
    ("method" in plan ? [plan] : plan[i]!).map((request) => ({
      bytes: bytesOf(request, `${hostname}:${port}`),
      expected: `HTTP/1.1 ${request.status} `,
    })),
  )
  const at = turns.map(() => 0)
  const sockets = turns.map(() => net.connect({ host: hostname, port: Number(port), noDelay: true }))

  return {
    loop: (n) =>
      new Promise((resolve, reject) => {
        let [sent, answered] = [0, 0]
        for (const [i, socket] of sockets.entries()) {
          let waiting = ""
          const turn = () => turns[i]![at[i]! % turns[i]!.length]!
          const send = () => {
            if (sent >= n) return
            sent += 1
            socket.write(turn().bytes)
          }
          socket.removeAllListeners("data")
          socket.removeAllListeners("error")
          socket.on("error", reject)
          socket.on("data", (chunk) => {
            waiting += chunk.toString("latin1")
            const length = answerLength(waiting)
            if (length === undefined || waiting.length < length) return
            if (!waiting.startsWith(turn().expected))
              return reject(new Error(`not ${turn().expected}: ${waiting.slice(0, 300)}`))
            at[i]! += 1
            waiting = waiting.slice(length)
            answered += 1
            if (answered === n) resolve()
            else send()
          })
          send()
        }
      }),
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The length of head and body; undefined until the head is complete. */
function answerLength(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n")
  if (head < 0) return undefined
  const length = /^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1]
  return head + 4 + Number(length ?? 0)
}

function bytesOf({ method, path, token, body }: LoadRequest, host: string): Buffer {
  const text = body === undefined ? "" : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(text)}`]),
  ]
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`)
}
