/* The studio on a server that answers everything with the same odd reply: each call of the page is
 * answered, and none of the answers is a mistake of the studio's own. */

import { describe, expect, test } from "vitest"
import { startHostile } from "../../../../../test/hostile-server.ts"
import { startStudio } from "./start-studio.ts"
import { enter } from "./studio-client.cases.ts"
import { restaurant } from "./studio-data.cases.ts"

const REPLIES: Readonly<Record<string, string>> = {
  "a status": "+OK\r\n",
  zero: ":0\r\n",
  text: "$3\r\nabc\r\n",
  nothing: "_\r\n",
  "an error": "-ERR no\r\n",
  "an empty list": "*0\r\n",
  "texts in a list": "*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n",
  "nulls in a list": "*3\r\n_\r\n_\r\n_\r\n",
  "lists in a list": "*2\r\n*0\r\n*1\r\n$1\r\na\r\n",
  "a cursor and keys": "*2\r\n$1\r\n0\r\n*2\r\n$6\r\ndish:1\r\n$6\r\nuser:1\r\n",
  "a cursor that never ends": "*2\r\n$1\r\n7\r\n*1\r\n$6\r\ndish:1\r\n",
  "a type that objects inherit": "+__proto__\r\n",
  "a type that is a function": "+constructor\r\n",
  "a slow command of the end of time":
    "*1\r\n*4\r\n:1\r\n:9007199254740991\r\n:-5\r\n*2\r\n$3\r\nGET\r\n$6\r\ndish:1\r\n",
}

const KEY = { db: 0, ref: `k${Buffer.from("dish:1").toString("base64url")}` }
const SET = { db: 0, ref: `k${Buffer.from("category:1:dishes").toString("base64url")}` }

describe("the studio on a server that answers everything with the same", () => {
  for (const [name, bytes] of Object.entries(REPLIES))
    test.concurrent(`${name}: every call is answered, and none with a mistake of ours`, async () => {
      const server = await startHostile(() => bytes)
      const mistakes: string[] = []
      const onError = (error: unknown) =>
        mistakes.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      const systems = [{ keyspace: restaurant, server: server.url }]
      const studio = await startStudio({ systems, write: true, onError })
      const page = await enter(studio)
      const system = "restaurant"
      const edit = { op: "change", ...KEY, seen: "x", fields: { name: "x" } }
      const answers = await Promise.all([
        page.raw("GET /api/session"),
        page.raw("GET /api/systems/:system/schema", { system }),
        page.raw("GET /api/systems/:system/overview", { system }),
        page.raw("POST /api/systems/:system/scan", { system }),
        page.raw("GET /api/systems/:system/doctor", { system }),
        page.raw("GET /api/systems/:system/slow", { system }),
        page.raw("GET /api/systems/:system/keys", { system, query: { pattern: "dish" } }),
        page.raw("GET /api/systems/:system/complete", { system, query: { pattern: "dish", param: "id" } }),
        page.raw("GET /api/systems/:system/key", { system, query: KEY }),
        page.raw("GET /api/systems/:system/key", { system, query: SET }),
        page.raw("GET /api/systems/:system/elements", { system, query: SET }),
        page.raw("GET /api/systems/:system/bytes", { system, query: KEY }),
        page.raw("GET /api/search", { query: { q: "dish:1" } }),
        page.raw("POST /api/systems/:system/reveal", { system, body: { ...KEY, what: "key" } }),
        page.raw("POST /api/systems/:system/edit/preview", { system, body: edit }),
        page.raw("POST /api/systems/:system/audit", { system }),
      ])
      await studio.close()
      await server.close()
      expect(mistakes).toEqual([])
      // Nothing was sent that is not a command.
      expect(answers.map(({ text }) => text).join()).not.toContain("DRIVER.ARGUMENT")
    })
})
