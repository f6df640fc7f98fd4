/* Carto served for a test, and its six databases seen from outside. */

import { expect } from "vitest"
import type { RawReply } from "../../test/resp-client.ts"
import { serveForTest, type Reply, type Served } from "../platform/testing/serve.ts"
import type { TestServer } from "../platform/testing/servers.ts"
import { dump, misfits, pairs } from "../platform/testing/stored.ts"
import { carto as schema } from "./schema.ts"

export const DAY = "2011-10-03"
export const CLOCK = ["--clock", `${DAY}T12:00:00Z`] as const
export const DATABASE = "cartodb_dev_user_1_db"
export const PLACES = { the_geom_type: "point", infowindow: "id, name, description", privacy: 0, user_id: 1 }

export interface Carto extends Served {
  /** A user, and their API key. */
  user(username?: string, id?: number, database?: string): Promise<string>
  table(table?: string, fields?: object, database?: string): Promise<Reply>
}

export async function cartoForTest(server: TestServer, ...args: string[]): Promise<Carto> {
  const served = await serveForTest(server, "carto", ...(args.includes("--clock") ? [] : CLOCK), ...args)
  return {
    ...served,
    async user(username = "dev", id = 1, database = `cartodb_dev_user_${id}_db`) {
      const { status, body } = await served.admin("POST /users", { id, username, database_name: database })
      expect(status).toBe(201)
      return body["map_key"] as string
    },
    async table(table = "places", fields = {}, database = DATABASE) {
      const put = await served.admin(`PUT /tables/${database}/${table}`, { ...PLACES, ...fields })
      expect(put.status).toBe(201)
      return put
    },
  }
}

type Raw = TestServer["raw"]

/** A plain command in one of the databases. */
export const inDatabase =
  (raw: () => Raw) =>
  async (db: number, ...command: (string | number)[]): Promise<RawReply> => {
    await raw()("SELECT", db)
    return raw()(...command)
  }

const NUMBERS = [0, 1, 2, 3, 4, 5]

/** Everything that is stored, by database. */
export async function dumpAll(raw: Raw): Promise<Record<number, unknown>> {
  const stored: Record<number, unknown> = {}
  for (const db of NUMBERS) {
    await raw("SELECT", db)
    stored[db] = await dump(raw)
  }
  return stored
}

/** ALL-2 over all six. */
export async function allMisfits(raw: Raw): Promise<string[]> {
  const wrong: string[] = []
  for (const db of NUMBERS) {
    await raw("SELECT", db)
    wrong.push(
      ...(await misfits(
        raw,
        schema.keys.filter((key) => key.db === db),
        db,
      )),
    )
  }
  return wrong
}

/** A hash as an object. */
export const record = (flat: RawReply): Record<string, string> => pairs(flat as string[])
