/* The engine's own connection to its server, opened at boot, before any client
 * can change the rules of access. It leaves when maxclients is reached, and comes back
 * when it is needed. Calls are synchronous: write, step, read. */

import { Connection } from "./connections.js"

/** @import { Server } from "./server.js" */

/** @typedef {string | number | null | ServerError | Reply[]} Reply */

/** An answer like any other: errors of single commands are values. */
export class ServerError extends Error {}

const NAME = ["CLIENT", "SETNAME", "keywright-engine"]

export class Admin {
  #server
  /** @type {Connection | undefined} */
  #connection
  /** @type {Buffer[]} */
  #output = []

  /** @param {Server} server */
  constructor(server) {
    this.#server = server
  }

  /** Sends the commands together. Throws when the server does not answer all of them.
   * @param {string[][]} commands
   * @returns {Reply[]} */
  send(commands) {
    this.#output = []
    const named = this.#connection && !this.#connection.gone
    const connection = this.#open()
    const all = named ? commands : [NAME, ...commands]
    this.#server.receive(connection, Buffer.concat(all.map(encode)))
    this.#server.step()
    try {
      const reader = new Reader(Buffer.concat(this.#output))
      const replies = all.map(() => reader.next())
      return named ? replies : replies.slice(1)
    } catch (error) {
      // An answer that comes later must not be mistaken for that of the next call.
      connection.gone = true
      this.#server.end(connection)
      throw error
    }
  }

  /** Like `send`, for one command whose error is not expected.
   * @param {string[]} command */
  ask(command) {
    const [reply = null] = this.send([command])
    if (reply instanceof ServerError) throw new Error(`${command[0]}: ${reply.message}`)
    return reply
  }

  #open() {
    if (this.#connection && !this.#connection.gone) return this.#connection
    const connection = new Connection(
      (bytes) => this.#output.push(Buffer.from(bytes)),
      () => (connection.gone = true),
    )
    this.#connection = connection
    this.#server.acceptSpare(connection)
    return connection
  }
}

/** Keys need not be UTF-8: they pass through here as latin1, byte for byte.
 * @param {string[]} command */
function encode(command) {
  const parts = command.map((part) => `$${part.length}\r\n${part}\r\n`)
  return Buffer.from(`*${command.length}\r\n${parts.join("")}`, "latin1")
}

class Reader {
  #bytes
  #at = 0

  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.#bytes = bytes
  }

  /** @returns {Reply} */
  next() {
    const line = this.#line()
    const rest = line.slice(1)
    switch (line[0]) {
      case "+":
        return rest
      case "-":
        return new ServerError(rest)
      case ":":
        return Number(rest)
      case "$":
        return rest === "-1" ? null : this.#text(Number(rest))
      case "*":
        return rest === "-1" ? null : Array.from({ length: Number(rest) }, () => this.next())
      default:
        throw new Error("the server gave no answer")
    }
  }

  #line() {
    const end = this.#bytes.indexOf("\r\n", this.#at)
    if (end === -1) return ""
    const line = this.#bytes.toString("latin1", this.#at, end)
    this.#at = end + 2
    return line
  }

  /** @param {number} length */
  #text(length) {
    const text = this.#bytes.toString("latin1", this.#at, this.#at + length)
    this.#at += length + 2
    return text
  }
}
