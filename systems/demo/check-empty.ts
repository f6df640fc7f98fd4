/* A demonstration fills the databases of its systems, and does damage there: on a server
 * that was passed in, these have to be empty. */

import { connect, keyspace } from "keywright"
import { catalog } from "../catalog.ts"
import { UsageError } from "../platform/usage-error.ts"

export async function checkEmpty(redis: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { databases } = await catalog[name]!()
    for (const place of databases) {
      const keys = await sizeOf(redis, place)
      if (keys > 0) throw notEmpty(place, keys, name)
    }
  }
}

async function sizeOf(redis: string, place: number): Promise<number> {
  const db = await connect(keyspace({}), redis, { db: place })
  try {
    return Number(await db.$driver(place).send(["DBSIZE"]))
  } catch (error) {
    throw new Error(`the server given with --redis cannot be used: ${(error as Error).message}`, { cause: error })
  } finally {
    await db.$close()
  }
}

const notEmpty = (place: number, keys: number, name: string) =>
  new UsageError(
    `database ${place} has ${keys} keys: a demonstration fills it for the ${name} and does damage there. Give an empty server with --redis, or none`,
  )
