/* The studio's calls, one line or a few each: the request is passed to the responsible
 * part, whose result is the answer. The types are those of api.ts. */

import type { Context, Hono } from "hono"
import { type Deletion, deletions } from "../../change/make-plan/deletions.ts"
import { bodyRefused, notFound, queryRefused, readOnly, revealOff } from "../../errors/studio.ts"
import { doctor } from "../../inspect/doctor/doctor.ts"
import type { Api, LogEntry, Overview, Revealed } from "../api.ts"
import { failureOf } from "./answer.ts"
import { completeLine } from "./console/complete-line.ts"
import { runLine } from "./console/run-line.ts"
import { differenceView } from "./difference.ts"
import { eventsAnswer } from "./events-answer.ts"
import type { Guard } from "./guard.ts"
import { listByIndex } from "./index-list.ts"
import { columnsOf, keyRows } from "./key-rows.ts"
import { completions, listKeys } from "./list-keys.ts"
import { proposalOf, saveProposal } from "./proposal.ts"
import { factsOf, lookAt, readBytes, readKey } from "./read-key.ts"
import { readElements } from "./read-elements.ts"
import { relatedPage } from "./relations.ts"
import { bodyOf, dbIn, editIn, maybeNumberIn, maybeTextIn, Query, textIn } from "./request.ts"
import { schemaView } from "./schema-view.ts"
import { search } from "./search.ts"
import { slowCommands } from "./slow-commands.ts"
import type { Studio, StudioPart } from "./studio.ts"

/** Bytes of a token in JSON. The call needs no session, so others on this machine can send it. */
const MOST_ENTRY = 1024

type AnswerOf<R> = R extends { readonly answer: infer A } ? A : never

export function addRoutes(app: Hono, studio: Studio, guard: Guard): void {
  const on = <R extends keyof Api>(route: R, answer: (c: Context) => Promise<AnswerOf<Api[R]>> | AnswerOf<Api[R]>) => {
    const [method = "", path = ""] = route.split(" ")
    app.on(method, path, async (c) => c.json((await answer(c)) as object))
  }
  const partOf = (c: Context): StudioPart => studio.part(c.req.param("system") ?? "")
  const place = (c: Context) => {
    const query = new Query(c)
    const part = partOf(c)
    const db = query.db()
    const key = part.system.keyOf(db, query.required("ref"))
    return { ...part, db, key, query, look: lookAt(part.system, db, key, false) }
  }

  on("POST /api/enter", async (c) => ({ session: guard.enter(textIn(await bodyOf(c, MOST_ENTRY), "token")) }))
  on("GET /api/session", () => studio.session())
  on("GET /api/systems/:system/schema", (c) => schemaView(partOf(c).system))
  on("GET /api/systems/:system/overview", (c) => overviewOf(partOf(c)))
  on("GET /api/systems/:system/difference", (c) => differenceView(partOf(c).system))
  on("GET /api/systems/:system/proposal", (c) => proposalOf(partOf(c).system))
  on("POST /api/systems/:system/proposal/save", async (c) => {
    const body = await bodyOf(c)
    if (!studio.write) throw readOnly()
    const { system } = partOf(c)
    const path = textIn(body, "path")
    const entry = { system: system.name, what: "save", text: `save the proposal as ${path.slice(0, 200)}` } as const
    return logged(studio, entry, async () => saveProposal(system, path))
  })
  on("POST /api/systems/:system/scan", async (c) => {
    await bodyOf(c)
    const { scan } = partOf(c)
    scan.again()
    return scan.state
  })
  on("GET /api/systems/:system/doctor", (c) => {
    const { keyspace, driver, connection, given } = partOf(c).system
    return doctor(keyspace, driver, { connection, ...(given.levels && { rules: given.levels }) })
  })

  // ── keys ───────────────────────────────────────────────────────────────────

  on("GET /api/systems/:system/keys", async (c) => {
    const { system, scan } = partOf(c)
    const query = new Query(c)
    const name = query.required("pattern")
    const index = query.text("index")
    const page = { limit: query.number("limit", 1, 500) ?? 50, cursor: query.text("cursor") }
    const { keys, next, db } =
      index === undefined
        ? await listKeys(system, scan.count, name, { ...page, filter: query.params() })
        : await listByIndex(system, name, {
            ...page,
            index,
            params: query.params("x"),
            descending: query.text("descending") === "1",
          })
    const total = scan.count?.totalOf(system, name)
    const columns = columnsOf(system, system.model.keys.get(name))
    return {
      columns,
      keys: await keyRows(system, db, keys, columns),
      next,
      total: scan.isWhole ? total : undefined,
      partial: !scan.isWhole,
    }
  })
  on("GET /api/systems/:system/complete", (c) => {
    const { system, scan } = partOf(c)
    const query = new Query(c)
    return completions(system, scan.count, query.required("pattern"), query.required("param"), {
      prefix: query.text("prefix") ?? "",
      limit: query.number("limit", 1, 200) ?? 20,
      filter: query.params(),
    })
  })
  on("GET /api/systems/:system/key", (c) => {
    const { look, key, audit, db } = place(c)
    return readKey(look, key, { write: studio.write, findings: audit.about(db, key) })
  })
  on("GET /api/systems/:system/elements", async (c) => {
    const { look, key, query, system, db } = place(c)
    const { type } = await factsOf(system.driverOf(db), key)
    return readElements(look, key, type, { cursor: query.text("cursor"), limit: query.number("limit", 1, 1000) ?? 100 })
  })
  on("GET /api/systems/:system/bytes", async (c) => {
    const { look, key, query } = place(c)
    const from = query.number("from", 0, 2 ** 40) ?? 0
    const slice = await readBytes(look, key, from, query.number("count", 1, 65_536) ?? 65_536)
    if (slice === undefined) throw queryRefused("ref", "the value holds secrets; it can only be revealed")
    return slice
  })
  on("GET /api/systems/:system/related", (c) => {
    const { look, key, query } = place(c)
    return relatedPage(look, key, {
      relation: query.required("relation"),
      how: query.required("how"),
      cursor: query.required("cursor"),
    })
  })
  on("POST /api/systems/:system/reveal", async (c): Promise<Revealed> => {
    const body = await bodyOf(c)
    if (!studio.reveal) throw revealOff()
    const { system, audit } = partOf(c)
    const db = dbIn(body)
    const key = system.keyOf(db, textIn(body, "ref"))
    const look = lookAt(system, db, key, true)
    const cursor = maybeTextIn(body, "cursor")
    const limit = maybeNumberIn(body, "limit", 1, 1000) ?? 100
    const from = maybeNumberIn(body, "from", 0, 2 ** 40) ?? 0
    const count = maybeNumberIn(body, "count", 1, 65_536) ?? 65_536
    const read = async (): Promise<Revealed> => {
      switch (body["what"]) {
        case "key":
          return { key: await readKey(look, key, { write: studio.write, findings: audit.about(db, key) }) }
        case "elements": {
          const { type } = await factsOf(system.driverOf(db), key)
          return { elements: await readElements(look, key, type, { cursor, limit }) }
        }
        case "bytes":
          return { bytes: (await readBytes(look, key, from, count))! }
        default:
          throw bodyRefused("what must be one of key, elements, bytes")
      }
    }
    const revealed = await read()
    const link = system.link(db, key)
    const text = `show the secrets of ${link.key}`
    studio.note({ at: now(), system: system.name, what: "reveal", text, ok: true, link })
    return revealed
  })

  on("GET /api/search", async (c) => {
    const query = new Query(c)
    const only = query.text("system")
    const parts = only === undefined ? studio.parts : [studio.part(only)]
    const systems = parts.map(({ system }) => system)
    return { hits: await search(systems, query.required("q").slice(0, 500), query.number("limit", 1, 100) ?? 30) }
  })

  // ── audit ──────────────────────────────────────────────────────────────────

  on("GET /api/systems/:system/audit", (c) => partOf(c).audit.state)
  on("POST /api/systems/:system/audit", async (c) => {
    await bodyOf(c)
    return partOf(c).audit.start()
  })
  on("POST /api/systems/:system/audit/stop", async (c) => {
    await bodyOf(c)
    return partOf(c).audit.stop()
  })
  on("GET /api/systems/:system/audit/findings", (c) => {
    const query = new Query(c)
    return partOf(c).audit.findings({ ...pageOf(query), code: query.text("code"), pattern: query.text("pattern") })
  })
  on("POST /api/systems/:system/audit/plan", async (c) => partOf(c).audit.plan(deletionsIn(await bodyOf(c))))
  on("GET /api/systems/:system/audit/plan", (c) => {
    const query = new Query(c)
    return partOf(c).audit.planPage(query.required("id"), { ...pageOf(query), code: query.text("code") })
  })
  on("POST /api/systems/:system/audit/apply", async (c) => {
    const body = await bodyOf(c)
    if (!studio.write) throw readOnly()
    const { audit, system, scan } = partOf(c)
    const id = textIn(body, "id")
    const report = await logged(studio, { system: system.name, what: "apply", text: "carry out the repair plan" }, () =>
      audit.apply(id, textIn(body, "confirm")),
    )
    scan.again()
    return { report, audit: audit.start() }
  })

  // ── edit ───────────────────────────────────────────────────────────────────

  on("POST /api/systems/:system/edit/preview", async (c) => {
    const edit = editIn(await bodyOf(c))
    if (!studio.write) throw readOnly()
    return partOf(c).editor.preview(edit)
  })
  on("POST /api/systems/:system/edit", async (c) => {
    const body = await bodyOf(c)
    if (!studio.write) throw readOnly()
    const { editor, system, scan } = partOf(c)
    const edit = editIn(body)
    const confirm = textIn(body, "confirm")
    const entry = { system: system.name, what: edit.op, text: `${edit.op} ${confirm.slice(0, 200)}` }
    const { link } = await logged(studio, entry, () => editor.apply(edit, confirm))
    scan.again()
    return { entry: studio.log[0]!, link }
  })
  on("POST /api/systems/:system/console", async (c) => {
    const body = await bodyOf(c)
    const { system, scan } = partOf(c)
    const line = { db: dbIn(body), line: textIn(body, "line"), confirm: maybeTextIn(body, "confirm") }
    return runLine(system, line, {
      write: studio.write,
      logged: async (text, work) => {
        const done = await logged(studio, { system: system.name, what: "console", text }, work)
        scan.again()
        return done
      },
    })
  })
  on("POST /api/systems/:system/console/complete", async (c) => {
    const body = await bodyOf(c)
    const { system, scan } = partOf(c)
    return completeLine(system, scan.count, dbIn(body), textIn(body, "line").slice(0, 2000))
  })
  on("GET /api/systems/:system/slow", (c) => slowCommands(partOf(c).system))
  on("GET /api/log", () => ({ entries: studio.log }))

  app.get("/api/events", (c) => eventsAnswer(c, studio))
  app.all("/api/*", () => {
    throw notFound("such call")
  })
}

const now = (): string => new Date().toISOString()

async function overviewOf({ system, scan, pulse }: StudioPart): Promise<Overview> {
  const latest = await pulse.now()
  return {
    system: system.name,
    scan: scan.state,
    pulse: latest,
    databases: scan.overview(),
    history: pulse.history,
  }
}

const pageOf = (query: Query): { offset: number; limit: number } => ({
  offset: query.number("offset", 0, 10_000_000) ?? 0,
  limit: query.number("limit", 1, 500) ?? 50,
})

function deletionsIn(body: Readonly<Record<string, unknown>>): Deletion[] {
  const words = body["delete"] ?? []
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string" && Object.hasOwn(deletions, word)))
    throw bodyRefused(`delete is a list of ${Object.keys(deletions).join(", ")}`)
  return words as Deletion[]
}

/** Done or not, it is in the log. */
async function logged<T extends object>(
  studio: Studio,
  entry: Pick<LogEntry, "system" | "what" | "text">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const done = await work()
    const { link } = done as { link?: LogEntry["link"] }
    studio.note({ ...entry, at: now(), ok: true, ...(link && { link }) })
    return done
  } catch (error) {
    studio.note({ ...entry, at: now(), ok: false, error: failureOf(error).error })
    throw error
  }
}
