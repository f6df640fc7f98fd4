/* A primary that sentinels watch, and beside it a connection to one of its replicas, opened when
 * the first read wants one. A replica is used only while there is a link to it: until then, and
 * when it is lost or refuses, the primary answers. */

import type { CallOptions, Command, ReadRole, Reply, ReplyReader, Script } from "../driver.ts"
import { isReadCommand } from "../read-commands.ts"
import type { CallKind } from "../resp/call.ts"
import { Connection, type ConnectionOptions } from "../resp/connection.ts"
import type { Dial } from "../resp/dialler.ts"

export interface ReplicaReadsOptions {
  readonly connection: Omit<ConnectionOptions, "dial" | "overseer" | "onGreeted" | "onNotLinked">
  /** To a replica of the moment. */
  readonly dial: Dial
  readonly silenceMs: number
  /** Who answers reads for which the caller does not say it. */
  readonly read: ReadRole
  readonly onClose: () => void
}

export class ReplicaReads {
  readonly #primary: Connection
  readonly #options: ReplicaReadsOptions
  #replica: Connection | undefined
  #isClosed = false

  constructor(primary: Connection, options: ReplicaReadsOptions) {
    this.#primary = primary
    this.#options = options
  }

  call(
    kind: CallKind,
    command: Command,
    commands: readonly Command[] | undefined,
    script: Script | undefined,
    options: CallOptions | undefined,
    reader?: ReplyReader<unknown>,
  ): Promise<Reply> {
    const isRead = kind === "one" && options?.read !== undefined && isReadCommand(command)
    const replica = isRead ? this.#replicaFor(options) : undefined
    return (replica ?? this.#primary).call(kind, command, commands, script, options, reader)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#options.onClose()
    await this.#replica?.close()
    await this.#primary.close()
  }

  #replicaFor({ read }: CallOptions): Connection | undefined {
    if ((read === "as-opened" ? this.#options.read : read) !== "replica" || this.#isClosed) return undefined
    this.#replica ??= this.#open()
    return this.#replica.isLinked ? this.#replica : undefined
  }

  #open(): Connection {
    const { connection: common, dial, silenceMs } = this.#options
    const primary = this.#primary
    const replica: Connection = new Connection({
      ...common,
      dial,
      asksWho: true,
      overseer: {
        silenceMs,
        takesBatches: false,
        greeted: ({ role }) => (role === "primary" ? new Error("it is no longer a replica") : undefined),
        unlinked: () => {
          for (const call of replica.takeQueued()) primary.take(call)
        },
        refused: (call, error) => {
          if (!/^SERVER\.(LOADING|MASTERDOWN|READONLY)$/.test(error.code)) return false
          primary.take(call)
          return true
        },
      },
    })
    return replica
  }
}
