/* Everything as a file, and back (RST-37): with secrets, because a copy has to be complete. */

import { exportKeys, importKeys, type ImportResult } from "keywright/operate"
import type { Area } from "../area.ts"
import type { RestaurantContext } from "../context.ts"

export type ImportMode = "skip" | "overwrite" | "fail"

export function copies({ db }: RestaurantContext, { match }: Area) {
  return {
    /**
     * All, or only what belongs to one entity; lines are sent as fast as they are read. It begins when the first page
     * was read, so that a server that cannot be read is an error, and not an export that breaks off.
     */
    export(entity: string | undefined): Promise<ReadableStream<Uint8Array>> {
      const leaving = new AbortController()
      const encoder = new TextEncoder()
      let wanted = () => {}
      return new Promise((begin, fail) => {
        const lines = new ReadableStream<Uint8Array>(
          {
            start(stream) {
              let written = 0
              const write = async (text: string): Promise<void> => {
                stream.enqueue(encoder.encode(text))
                written += 1
                if (written > 1) begin(lines)
                if (stream.desiredSize! <= 0) await new Promise<void>((resolve) => (wanted = resolve))
              }
              const only = entity === undefined ? {} : { only: [entity] }
              const part = match === undefined ? {} : { match }
              const options = { ...only, ...part, secrets: true, signal: leaving.signal }
              exportKeys(db.$keyspace, db.$driver(), write, options).then(
                () => stream.close(),
                (error: unknown) => {
                  stream.error(error)
                  fail(error as Error)
                },
              )
            },
            pull: () => wanted(),
            cancel() {
              leaving.abort()
              wanted()
            },
          },
          { highWaterMark: 16 },
        )
      })
    },

    /**
     * Checked as a whole before anything is written, read back, and indexes rebuilt. Where carts may be others than the
     * export's, cached views of them are dropped, whosever they are (RST-20).
     */
    async import(lines: AsyncIterable<Uint8Array>, mode: ImportMode, isJackson: boolean): Promise<ImportResult> {
      // A copy is complete: what other programs left in the database was exported, and is restored. Of several
      // restaurants each restores its own keys only.
      const foreign = match === undefined ? "import" : "refuse"
      const options = { mode, jackson: isJackson, foreign } as const
      const result = await importKeys(db.$keyspace, db.$driver(), lines, options)
      if (mode !== "fail") for await (const { handle } of db.cartCache.scan()) await handle.delete()
      return result
    },
  }
}

export type Copies = ReturnType<typeof copies>
