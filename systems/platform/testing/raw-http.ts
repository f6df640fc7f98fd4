/* A request as bytes, for what no HTTP client would send. */

import { connect } from "node:net"

export interface RawAnswer {
  /** 0 when there was none. */
  readonly status: number
  readonly head: string
  readonly body: string
}

/** `rawRequest(url, "PUT /api/dishes/6#/5", { authorization: "Bearer …" }, "{}")`; the target is sent as it is. */
export function rawRequest(
  url: string,
  request: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<RawAnswer> {
  const length =
    body === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }
  const { hostname, port } = new URL(url)
  const lines = Object.entries({ host: "127.0.0.1", connection: "close", ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return rawBytes(Number(port), hostname, [`${request} HTTP/1.1`, ...lines, "", body ?? ""].join("\r\n"))
}

/** What is answered until the server closes. */
export const rawBytes = (port: number, host: string, bytes: string): Promise<RawAnswer> =>
  new Promise((resolve) => {
    let heard = ""
    const socket = connect(port, host, () => socket.write(bytes))
    socket.on("data", (part) => (heard += part.toString()))
    socket.on("error", () => undefined)
    socket.on("close", () => {
      const end = heard.indexOf("\r\n\r\n")
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(heard)?.[1] ?? 0)
      resolve({ status, head: heard.slice(0, end), body: heard.slice(end + 4) })
    })
  })
