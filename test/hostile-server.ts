/* A server that answers as a test wants it to: what a broken or hostile one would send, byte by
 * byte. It greets properly, so that what follows meets a connection in use. */

import net from "node:net"

export interface HostileServer {
  readonly url: string
  /** Connections that were opened, and those that are still open. */
  readonly opened: () => number
  readonly open: () => number
  /** Bytes written so far. */
  readonly sent: () => number
  /** Writes this to every open connection. */
  readonly say: (text: string) => void
  close(): Promise<void>
}

/** The answer to a command, or what to do with the connection; undefined: nothing. */
export type HostileAnswer = (
  command: readonly string[],
  socket: net.Socket,
  connection: number,
) => string | Buffer | undefined

const GREETING: Readonly<Record<string, string>> = {
  HELLO: "%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n",
  CLIENT: "+OK\r\n",
  SELECT: "+OK\r\n",
}

/** `greeting` answers what a connection begins with instead. */
export async function startHostile(answer: HostileAnswer, greeting?: HostileAnswer): Promise<HostileServer> {
  const sockets = new Set<net.Socket>()
  let [opened, ended] = [0, 0]
  const server = net.createServer({ noDelay: true }, (socket) => {
    const connection = opened++
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => {
      ended += socket.bytesWritten
      sockets.delete(socket)
    })
    let rest = Buffer.alloc(0)
    socket.on("data", (bytes) => {
      rest = Buffer.concat([rest, bytes])
      for (let read = readCommand(rest); read !== undefined; read = readCommand(rest)) {
        rest = rest.subarray(read.bytes)
        const known = GREETING[read.command[0] ?? ""]
        const said =
          known === undefined
            ? answer(read.command, socket, connection)
            : greeting === undefined
              ? known
              : greeting(read.command, socket, connection)
        if (said !== undefined && socket.writable) socket.write(said)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `redis://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    opened: () => opened,
    open: () => sockets.size,
    say: (text) => {
      for (const socket of sockets) socket.write(text)
    },
    sent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, ended),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Writes the same bytes for as long as somebody reads them. */
export function flood(socket: net.Socket, bytes: string): undefined {
  const block = Buffer.from(bytes.repeat(Math.ceil(65_536 / bytes.length)))
  const more = () => {
    while (socket.writable && socket.write(block));
  }
  socket.on("drain", more)
  more()
}

/** A command at the beginning of the bytes, if it is all there. */
function readCommand(bytes: Buffer): { readonly command: string[]; readonly bytes: number } | undefined {
  const lineAt = (from: number) => {
    const end = bytes.indexOf("\r\n", from)
    return end < 0 ? undefined : { number: Number(bytes.toString("latin1", from + 1, end)), next: end + 2 }
  }
  const head = lineAt(0)
  if (head === undefined) return undefined
  const command: string[] = []
  let at = head.next
  for (let i = 0; i < head.number; i++) {
    const word = lineAt(at)
    if (word === undefined || word.next + word.number + 2 > bytes.length) return undefined
    command.push(bytes.toString("utf8", word.next, word.next + word.number))
    at = word.next + word.number + 2
  }
  return { command, bytes: at }
}
