/* The schema page in all its forms. */

import { describe, expect, it } from "vitest"
import * as z from "zod"
import {
  database,
  entity,
  family,
  hash,
  id,
  int,
  json,
  keyspace,
  list,
  map,
  oneOf,
  scope,
  secret,
  set,
  string,
  text,
  zset,
  type Keyspace,
} from "../index.ts"
import { dagreLayout } from "../cli/diagram-layout.ts"
import { diagramOf } from "./page/diagram.ts"
import { diagramSvg } from "./page/diagram-svg.ts"
import { docPage } from "./page/doc-model.ts"
import { html } from "./page/html.ts"
import { markdown } from "./page/markdown.ts"
import { mermaid } from "./page/mermaid.ts"
import { withoutControls } from "./printable.ts"

const token = secret(id("token"))
const User = z.object({ id: z.string(), email: z.string(), password: z.string(), roleId: z.string() })
const Role = z.object({ id: z.string(), name: z.enum(["ADMIN", "<b>"]) })

const schema = keyspace(
  {
    user: entity("user:{id}", json(User), {
      all: "user:list",
      unique: { email: "user:index:email:{email}" },
      secret: ["password"],
      doc: "Someone.",
    }),
    role: entity("role:{id}", json(Role), { doc: "What someone may do." }),
    session: hash(
      "session:{token}",
      { user: text, secretNote: secret(text) },
      { ttl: "1h", doc: "A <script>alert(1)</script> & more.", writes: ["login"], reads: ["every request"] },
    ),
    old: string("old:{x}", text, { deprecated: "use `session`", doc: "Old." }),
    part: family(
      "part:{x}",
      { ttl: "2h", doc: "Together." },
      { info: hash(":i", { a: int }, { doc: "I." }), ids: set(":s", text, { doc: "S." }) },
    ),
    log: list("log", text, { keep: 10, evictable: true, when: "the log is on", doc: "Lines." }),
  },
  {
    name: "demo",
    doc: "A demo.",
    ttl: "never",
    params: { token },
    relations: { user: { role: { one: "role", from: "roleId" } } },
  },
) as Keyspace

const ids = keyspace(
  {
    login: map("login:", token, id("user"), { doc: "L." }),
    viewed: zset("viewed:{token}", id("item"), { doc: "V." }),
    recent: zset("recent:", token, { doc: "R." }),
    service: scope("P:{project}:", { one: set("one:{token}", id("item"), { doc: "O." }) }),
  },
  { ttl: "never", params: { token } },
) as Keyspace

describe("Markdown", () => {
  const page = markdown(schema)

  it("has every key once in its overview, with type and TTL", () => {
    for (const { pattern } of schema.keys) expect(page).toContain(`| \`${pattern}\` |`)
    expect(page).toContain(
      "| `session:{token}` | hash | A &lt;script>alert(1)&lt;/script> & more. | 1h from each write |",
    )
    expect(page).toContain("2h, with its family")
  })

  it("marks what is secret, deprecated, kept short, evictable and conditional, and says who writes and reads", () => {
    expect(page).toContain("| `secretNote` | text | secret |")
    expect(page).toContain("> **Deprecated:** use `session`")
    expect(page).toContain("the newest 10 are kept · may be evicted · only when the log is on")
    expect(page).toContain("Written by login. Read by every request.")
  })

  it("shows examples that fit, and no secret in them", () => {
    expect(page).toContain('"password":"•••"')
    expect(page).toContain("HSET session:••• user user1 secretNote •••")
    expect(page).toContain("RPUSH log item1")
  })

  it("tells of databases that are declared and empty, and of the toolkit's own keys", () => {
    const several = keyspace({
      a: database(0, "main", { x: string("x", text) }),
      b: database(4, "spare", {}, { doc: "Reserved." }),
    })
    const text4 = markdown(several as Keyspace)
    expect(text4).toContain("## Database 4: spare\n\nReserved.\n\n*Nothing is kept here.*")
    expect(text4).toContain("| db | key | type | holds | TTL |")
    expect(text4).toContain("keywright:op:{operation}")
  })
})

describe("a table of a Markdown page", () => {
  /** Some readers take any bar behind a backslash for escaped, others do not if that backslash is escaped itself. */
  const readers = [/(?<!\\)\|/g, /(?<=(?<!\\)(?:\\\\)*)\|/g]
  const bars = (row: string) => readers.map((bar) => row.match(bar)!.length)
  const attack = "x\\|<img src=x onerror=alert(1)>|\\\\|`y`"
  const notes = { ttl: "1h", doc: `One \`${attack}\` and ${attack}.` } as const

  it("ends no cell, for any reader, in a key, a field or a doc with backslashes and bars", () => {
    const hostile = keyspace({
      key: string(`${attack}:{id}`, text, notes),
      fields: hash("h:{id}", { [attack]: oneOf("a", attack) }, notes),
    })
    const rows = markdown(hostile as Keyspace)
      .split("\n")
      .filter((line) => line.startsWith("|"))
    expect(rows.filter((row) => row.includes("onerror")).length).toBe(3)
    expect(new Set(rows.map((row) => bars(row).join(" ")))).toEqual(new Set(["5 5", "4 4"]))
  })

  it("is text in the name of an index, as everywhere", () => {
    const unique = { [attack]: "mail:{email}" } as never
    const page = markdown(keyspace({ user: entity("u:{id}", json(User), { unique, ttl: "never" }) }) as Keyspace)
    const rows = page.split("\n").filter((row) => row.includes("onerror"))
    expect(rows.length).toBe(2)
    for (const row of rows) expect([row.includes("<img"), ...bars(row)]).toEqual([false, 5, 5])
  })
})

describe("the diagram", () => {
  it("is of entities and their relations, each pair once", () => {
    const { kind, boxes, lines } = diagramOf(schema)
    expect(kind).toBe("entities")
    expect(boxes.map(({ name }) => name)).toEqual(["user", "role"])
    expect(lines).toEqual([{ from: "user", to: "role", label: "role", ends: ["many", "one"] }])
  })

  it("is of ids where there are no entities: keys lead from one to others", () => {
    const { kind, boxes, lines } = diagramOf(ids)
    expect(kind).toBe("ids")
    expect(boxes.find(({ name }) => name === "token")?.rows).toMatchObject([{ name: "recent:" }])
    expect(lines.map(({ from, to, label, ends }) => `${from} ${to} ${label} ${ends[1]}`)).toEqual([
      "token user login one",
      "token item viewed, one many",
    ])
  })

  it("is drawn as SVG, with everything escaped", () => {
    const svg = diagramSvg(diagramOf(schema), dagreLayout)!
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(svg).not.toContain("<b>")
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  })

  it("is written as Mermaid text", () => {
    expect(mermaid(schema)).toContain('  user }o--|| role : "role"\n')
  })

  it("is left out where nothing is related", () => {
    const lonely = keyspace({ a: string("a", text) }) as Keyspace
    expect(diagramSvg(diagramOf(lonely), dagreLayout)).toBeUndefined()
    expect(html(lonely, dagreLayout, "0")).not.toContain('id="diagram"')
  })
})

describe("the HTML page", () => {
  const page = html(schema, dagreLayout, "abcd")

  it("needs no network: nothing is loaded from anywhere", () => {
    expect(page.replaceAll('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /(?:src|href)="(?!#|data:)|url\(|@import|https?:/,
    )
  })

  it("escapes what the schema says", () => {
    expect(page).not.toContain("<script>alert")
    expect(page).toContain("A &lt;script&gt;alert(1)&lt;/script&gt; &amp; more.")
  })

  it("has every pattern, a search box, marks, and the toolkit's own keys", () => {
    for (const { pattern } of docPage(schema).sections.flatMap(({ keys }) => keys)) {
      const words = pattern
        .replace(/\{\w+\}/g, " ")
        .split(" ")
        .filter(Boolean)
      for (const word of words) expect(page.replaceAll("<wbr>", "")).toContain(word)
    }
    expect(page).toContain('id="search"')
    expect(page).toContain("holds secrets")
    expect(page).toContain("deprecated")
    expect(page).toContain("prefers-color-scheme:dark")
    expect(page).toContain("@media print")
  })

  it("has links that lead somewhere", () => {
    const targets = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, one]) => one))
    const broken = [...page.matchAll(/href="#([^"]+)"/g)].map(([, one]) => one).filter((one) => !targets.has(one))
    expect(broken).toEqual([])
  })

  it("is the same every time", () => {
    expect(html(schema, dagreLayout, "abcd")).toBe(page)
  })
})

describe("what an inferred schema took from data", () => {
  const data = "\u001b]0;x\u0007\u009b31m\u0000\u202eevil\u2066\r\nFAKE LINE\u2028\u007f\ufeff\u{e0041}"
  const inferred = keyspace(
    {
      state: string("state:{user}", oneOf(data, "other"), { doc: "Two\nlines." }),
      info: hash("info:{user}", { [data]: text, next: id("item") }),
      document: string("document:{user}", json(z.object({ [data]: z.enum([data]) }))),
      seen: set("seen:{user}", id("item")),
      odd: set(`odd:${data}:{user}`, text),
    },
    { ttl: "never", params: { user: id("user") }, doc: data },
  ) as Keyspace

  it.each([
    ["Markdown", markdown(inferred)],
    ["HTML", html(inferred, dagreLayout, "0")],
    ["Mermaid", mermaid(inferred)],
    ["SVG", diagramSvg(diagramOf(inferred), dagreLayout)!],
  ])("stays on its line in %s, and acts on nothing", (_, page) => {
    expect(page).toBe(withoutControls(page))
    expect(page).not.toMatch(/^FAKE LINE/m)
  })

  it("is shown by its numbers, and sentences are one line", () => {
    expect(markdown(inferred)).toContain(String.raw`\x9b31m\u0000\u{202e}evil`)
    expect(html(inferred, dagreLayout, "0")).toContain("<p>Two lines.</p>")
  })
})
