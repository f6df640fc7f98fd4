/* A file as a sequence of fresh buffers. The next one is being read while the
 * last one is looked at; none is ever written to again, so that keys and values
 * may point into it without being copied. */

import { open, type FileHandle } from "node:fs/promises"
import { rdbUnreadable } from "../../errors/rdb.ts"
import { READ_WITHOUT_WAITING, requireKind } from "../../files/ordinary-file.ts"

const CHUNK = 512 * 1024

/** Bytes in portions, and their total where it is known. */
export interface Chunks extends AsyncIterable<Uint8Array> {
  size(): Promise<number>
}

/** Opens an ordinary file for reading. */
export async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, READ_WITHOUT_WAITING).catch((cause: unknown) =>
    Promise.reject(rdbUnreadable(path, cause)),
  )
  try {
    requireKind(path, await file.stat())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The chunks of a file. The file is opened when the first one is asked for and closed after the last. */
export const chunksOfFile = (path: string): Chunks =>
  chunksFrom(
    path,
    once(() => openFile(path)),
    true,
  )

/** The same of a file that is open, and stays so. */
export const chunksOfOpen = (file: FileHandle, path: string): Chunks => chunksFrom(path, async () => file, false)

function chunksFrom(path: string, opened: () => Promise<FileHandle>, closes: boolean): Chunks {
  return {
    async size() {
      return (await (await opened()).stat()).size
    },
    async *[Symbol.asyncIterator]() {
      const file = await opened()
      let next = readChunk(file, path)
      try {
        for (;;) {
          const chunk = await next
          if (chunk.length === 0) return
          next = readChunk(file, path)
          yield chunk
        }
      } finally {
        await next.catch(() => undefined)
        if (closes) await file.close()
      }
    },
  }
}

/** The same for bytes from elsewhere. */
export function chunksOfStream(source: AsyncIterable<Uint8Array> | Chunks): Chunks {
  if ("size" in source) return source
  return { size: async () => Infinity, [Symbol.asyncIterator]: () => source[Symbol.asyncIterator]() }
}

async function readChunk(file: FileHandle, path: string): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK)
  try {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, null)
    return buffer.subarray(0, bytesRead)
  } catch (cause) {
    throw rdbUnreadable(path, cause)
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
