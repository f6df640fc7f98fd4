/* Opens a socket (TCP, TLS or unix) as a Transport.
 *
 * A plain socket reads into its own single buffer, which saves an allocation and the
 * stream's bookkeeping per chunk; the reader does not keep what it is given. */

import { connect, type Socket } from "node:net"
import { type ConnectionOptions as TlsOptions, connect as connectTls } from "node:tls"
import type { Address } from "../address.ts"
import type { Transport } from "../driver.ts"
import type { Dial } from "./dialler.ts"

type SocketAddress = Pick<Address, "host" | "port" | "path" | "tls">

const READ_BYTES = 65_536
/** More than this in the socket's buffer, and callers wait. */
const BUFFERED_BYTES = 1_048_576
const KEEP_ALIVE_MS = 15_000

export function dialSocket(address: SocketAddress, tlsOptions: TlsOptions = {}): Dial {
  return (signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const transport = new SocketTransport()
      const socket = address.tls ? openTls(address, tlsOptions, transport) : openPlain(address, transport)
      const giveUp = () => socket.destroy(signal.reason as Error)
      signal.addEventListener("abort", giveUp, { once: true })
      socket.once(address.tls ? "secureConnect" : "connect", () => {
        signal.removeEventListener("abort", giveUp)
        socket.removeListener("error", reject)
        transport.attach(socket)
        resolve(transport)
      })
      socket.once("error", reject)
    })
}

function openPlain({ host, port, path }: SocketAddress, transport: SocketTransport): Socket {
  const onread = {
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    callback: (length: number, buffer: Uint8Array) => {
      transport.onData(length === buffer.length ? buffer : buffer.subarray(0, length))
      return true
    },
  }
  if (path !== undefined) return connect({ path, onread })
  return connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, onread })
}

function openTls({ host, port, path }: SocketAddress, options: TlsOptions, transport: SocketTransport): Socket {
  const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host }
  const socket = connectTls({ ...servername, ...options, ...(path === undefined ? { host, port } : { path }) })
  socket.setNoDelay(true)
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  socket.on("data", (bytes: Buffer) => transport.onData(bytes))
  return socket
}

class SocketTransport implements Transport {
  onData: (bytes: Uint8Array) => void = () => undefined
  onDrain: () => void = () => undefined
  onClose: (reason?: Error) => void = () => undefined
  #socket: Socket | undefined

  attach(socket: Socket): void {
    let reason: Error | undefined
    this.#socket = socket
    socket.on("error", (error) => (reason = error))
    socket.on("drain", () => this.onDrain())
    socket.on("close", () => this.onClose(reason))
  }

  write(bytes: Uint8Array): boolean {
    const socket = this.#socket as Socket
    return socket.write(bytes) || socket.writableLength < BUFFERED_BYTES
  }

  close(): void {
    this.#socket?.destroy()
  }
}
