/* A file of small keys of the common kinds, as redis-server writes it. */

import { resp } from "../audit/data.ts"
import { serverWith } from "../audit/server.ts"

/** The file, and how to remove it with the server that saved it, which has nothing else to do. */
export async function smallKeys(keys: number) {
  const { rdb: file, stop: remove } = await serverWith(commands(keys))
  return { file, remove }
}

function* commands(keys: number): Generator<string> {
  for (let at = 0; at < keys; at += 1000) {
    let text = ""
    for (let index = at; index < at + 1000; index++) text += command(index)
    yield text
  }
  yield resp(["SAVE"])
}

function command(index: number): string {
  const kind = index % 10
  const token = ((index * 2654435761) >>> 0).toString(16)
  if (kind < 4)
    return resp(["SET", `session:${token}`, `{"user":${index},"name":"user ${index}"}`, "EX", `${3600 + kind}`])
  if (kind < 5) return resp(["SET", `counter:${index}`, `${index}`])
  if (kind < 7)
    return resp(["HSET", `user:${index}`, "name", `user ${index}`, "email", `u${index}@example.com`, "age", "42"])
  if (kind < 8)
    return resp(["ZADD", `viewed:${token}`, `${1_700_000_000 + index}`, "item:1", `${index}.5`, `item:${index}`])
  if (kind < 9) return resp(["SADD", `tags:${index}`, `${index}`, `${index + 1}`, `${index + 2}`])
  return resp(["RPUSH", `recent:${index}`, "first", "second", `${index}`])
}
