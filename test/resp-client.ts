/* The plainest client of the Redis protocol, for tests that compare what servers
 * say byte by byte: it knows nothing of commands and interprets nothing. Errors are
 * values. Over a socket, or over the embedded engine's channel. */

import net from "node:net"

/** `-ERR …` as it came. */
export class ErrorReply {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

export type RawReply = string | number | null | ErrorReply | RawReply[]

interface Pipe {
  write(bytes: Uint8Array): boolean
  close(): void
  onData: (bytes: Uint8Array) => void
  onClose: (reason?: Error) => void
}

export class RespClient {
  /** Gets what nobody asked for: messages of subscriptions. */
  onPush: (reply: RawReply) => void = () => {}
  /** Why the connection ended, once it has. */
  readonly closed: Promise<Error | undefined>
  readonly #pipe: Pipe
  readonly #waiting: { resolve: (reply: RawReply) => void; reject: (reason: Error) => void }[] = []
  #pending = Buffer.alloc(0)
  #ended: Error | undefined

  constructor(pipe: Pipe) {
    this.#pipe = pipe
    pipe.onData = (bytes) => this.#receive(bytes)
    this.closed = new Promise((resolve) => {
      pipe.onClose = (reason) => {
        resolve(reason)
        this.#ended = reason ?? new Error("the connection was closed")
        for (const { reject } of this.#waiting.splice(0)) reject(this.#ended)
      }
    })
  }

  static async connect(port: number): Promise<RespClient> {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true })
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve)
      socket.once("error", reject)
    })
    const pipe: Pipe = { write: (bytes) => socket.write(bytes), close: () => socket.end(), onData() {}, onClose() {} }
    let failure: Error | undefined
    socket.on("error", (error) => (failure = error))
    socket.on("data", (bytes) => pipe.onData(bytes))
    socket.on("close", () => pipe.onClose(failure))
    return new RespClient(pipe)
  }

  async send(...command: (string | number | Uint8Array)[]): Promise<RawReply> {
    return (await this.pipeline([command]))[0] as RawReply
  }

  /** In one write. */
  pipeline(commands: readonly (string | number | Uint8Array)[][]): Promise<RawReply[]> {
    if (this.#ended) return Promise.reject(this.#ended)
    const replies = commands.map(
      () => new Promise<RawReply>((resolve, reject) => this.#waiting.push({ resolve, reject })),
    )
    this.#pipe.write(Buffer.concat(commands.flatMap(encode)))
    return Promise.all(replies)
  }

  close(): void {
    this.#pipe.close()
  }

  #receive(bytes: Uint8Array): void {
    this.#pending = this.#pending.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#pending, bytes])
    let at = 0
    for (let found = parse(this.#pending, at); found; found = parse(this.#pending, at)) {
      at = found.end
      const next = this.#waiting.shift()
      if (next) next.resolve(found.reply)
      else this.onPush(found.reply)
    }
    this.#pending = this.#pending.subarray(at)
  }
}

function encode(command: readonly (string | number | Uint8Array)[]): Uint8Array[] {
  const parts: Uint8Array[] = [Buffer.from(`*${command.length}\r\n`)]
  for (const argument of command) {
    const bytes = argument instanceof Uint8Array ? argument : Buffer.from(String(argument))
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from("\r\n"))
  }
  return parts
}

interface Parsed {
  readonly reply: RawReply
  readonly end: number
}

function parse(bytes: Buffer, at: number): Parsed | undefined {
  const lineEnd = bytes.indexOf("\r\n", at)
  if (lineEnd === -1) return undefined
  const rest = bytes.toString("latin1", at + 1, lineEnd)
  const end = lineEnd + 2
  switch (String.fromCharCode(bytes[at] ?? 0)) {
    case "+":
      return { reply: rest, end }
    case "-":
      return { reply: new ErrorReply(rest), end }
    case ":":
      return { reply: Number(rest), end }
    case "$":
      return rest === "-1" ? { reply: null, end } : parseBulk(bytes, end, Number(rest))
    case "*":
      return rest === "-1" ? { reply: null, end } : parseArray(bytes, end, Number(rest))
    default:
      throw new Error(`not RESP2: ${bytes.toString("latin1", at, lineEnd)}`)
  }
}

function parseBulk(bytes: Buffer, at: number, length: number): Parsed | undefined {
  if (bytes.length < at + length + 2) return undefined
  return { reply: bytes.toString("latin1", at, at + length), end: at + length + 2 }
}

function parseArray(bytes: Buffer, at: number, length: number): Parsed | undefined {
  const items: RawReply[] = []
  let end = at
  while (items.length < length) {
    const item = parse(bytes, end)
    if (!item) return undefined
    items.push(item.reply)
    end = item.end
  }
  return { reply: items, end }
}
