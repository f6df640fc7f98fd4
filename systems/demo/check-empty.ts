/* A demonstration fills the databases of its systems, and does damage there: on a server
 * that was passed in, these have to be empty. */

import { connect, keyspace } from "keywright"
import { catalog } from "../catalog.ts"
import { UsageError } from "../platform/usage-error.ts"

export async function checkEmpty(redis: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { databases } = await catalog[name]!()
    for (const place of databases) {
      const db = await connect(keyspace({}), redis, { db: place })
      const keys = await db.$driver(place).send(["DBSIZE"])
      await db.$close()
      if (Number(keys) > 0) throw notEmpty(place, Number(keys), name)
    }
  }
}

const notEmpty = (place: number, keys: number, name: string) =>
  new UsageError(
    `database ${place} has ${keys} keys: a demonstration fills it for the ${name} and does damage there. Give an empty server with --redis, or none`,
  )
