/* When keys go away, as pages say it. */

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { hash, keyspace, list, map, sliding, string, text } from "../../index.ts"
import { checkPage, pageSlips } from "./check-page.ts"
import { ttlIn, ttlSaid } from "./page-ttls.ts"

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]

describe("beside a key", () => {
  it.each([
    ["`cart:7`, TTL 24h", DAY],
    ["cart:7 (TTL: 24 hours)", DAY],
    ["cart:7 has a TTL of 600 s", 600 * SECOND],
    ["cart:7 with TTL = 10min", 10 * MINUTE],
    ["cart:7 expires in 30 minutes", 30 * MINUTE],
    ["cart:7 expires after **30 minutes** of silence", 30 * MINUTE],
    ["cart:7 will expire after 2 days", 2 * DAY],
    ["cart:7, expiring in 1.5 hours", 1.5 * HOUR],
    ["cart:7: expiry 90 seconds", 90 * SECOND],
    ["cart:7 lives for 1 hour and 30 minutes", 1.5 * HOUR],
    ["the token at cart:7 is valid for 3 hours", 3 * HOUR],
    ["cart:7 is kept for a week", 7 * DAY],
    ["cart:7 is kept for seven days", 7 * DAY],
    ["cart:7 expires after thirty minutes", 30 * MINUTE],
    ["cart:7 is cached for half an hour", 30 * MINUTE],
    ["cart:7 is deleted after at most 500 ms", 500],
    ["cart:7 has a 30-minute lifetime of 30-minutes", 30 * MINUTE],
    ["cart:7 never expires", "never"],
    ["cart:7 does not expire", "never"],
    ["cart:7 doesn't expire", "never"],
    ["cart:7 has no expiry", "never"],
    ["cart:7: no TTL", "never"],
    ["cart:7 is stored without an expiration", "never"],
    ["cart:7 is kept forever", "never"],
    // Nothing to hold a page to.
    ["cart:7 expires in about 30 minutes", undefined],
    ["cart:7 usually expires after 5 minutes", undefined],
    ["cart:7 holds the orders of the last 30 days", undefined],
    ["cart:7 expires when the user logs out", undefined],
    ["set a TTL on cart:7 if you like", undefined],
    ["cart:7: 3 hours of television", undefined],
    ["after 10 minutes cart:7 is read again", undefined],
  ] as const)("%s", (words, claim) => expect(ttlSaid(words)).toBe(claim))
})

describe("in a cell or behind a label", () => {
  it.each([
    ["600 seconds", 600 * SECOND],
    ["600", 600 * SECOND],
    ["10800 seconds (3 hours)", 3 * HOUR],
    ["`24h`", DAY],
    ["up to 30 days", 30 * DAY],
    ["1 d", DAY],
    ["Never", "never"],
    ["none", "never"],
    ["-1", "never"],
    ["never expires", "never"],
    ["no expiry", "never"],
    ["-", undefined],
    ["", undefined],
    ["see below", undefined],
    ["configurable, default 5m", undefined],
    ["when it is read", undefined],
  ] as const)("%s", (words, claim) => expect(ttlIn(words)).toBe(claim))
})

describe("a page", () => {
  const file = "test/pages/sessions.md"
  const page = { file, text: readFileSync(new URL(`../../../../../${file}`, import.meta.url), "utf8") }
  const schema = (ttls: { session: "30m" | "1h"; audit: "never" | "7d"; profile: "3h" | "1h" }) =>
    keyspace({
      session: hash("session:{id}", { user: text }, { ttl: sliding(ttls.session) }),
      link: string("link:{code}", text, { ttl: "15m" }),
      audit: list("audit:{day}", text, { ttl: ttls.audit }),
      limit: string("limit:{address}", text, { ttl: "60s" }),
      profile: string("profile:{user}", text, { ttl: ttls.profile }),
      flags: map("flags:", text, text, { ttl: "never" }),
    })
  const lines = (...given: Parameters<typeof schema>) =>
    checkPage(schema(...given), page)
      .filter(({ code }) => code === "PAGE.WRONG_TTL")
      .flatMap(({ at, alsoLines, name }) => [at!.line, ...(alsoLines ?? [])].map((line) => `${line} ${name}`))

  it("that is right says nothing wrong", () => {
    expect(lines({ session: "30m", audit: "never", profile: "3h" })).toEqual([])
  })

  it("is held to every claim, in prose, tables, labels and commands, and to none that is vague", () => {
    expect(lines({ session: "1h", audit: "7d", profile: "1h" }).sort()).toEqual(
      ["3 session", "4 audit", "8 session", "10 audit", "15 profile", "23 profile", "24 audit"].sort(),
    )
  })

  describe("with a table that names its key otherwise", () => {
    const table = ["| Name | |", "|---|---|", "| KEY_STRUCTURE | Links:{id} |", "| EXPIRE TIME | 10 minutes |", ""]
    const example = ["```", '"link:7": {"x"},', '"limit:1.2.3.4": {"y"},', "```"]
    const found = (...text: string[]) =>
      pageSlips(schema({ session: "1h", audit: "never", profile: "3h" }), { text: text.join("\n") }).ttls.map(
        ({ key, line, claim }) => [key.name, line, claim],
      )

    it("speaks of the keys of the example below it", () => {
      const claims = [
        ["link", 4, 10 * MINUTE],
        ["limit", 4, 10 * MINUTE],
      ]
      expect(found(...table, ...example)).toEqual(claims)
      expect(found(...table, "## Example:", ...example)).toEqual(claims)
    })

    it("and not of commands, of another section, or of what follows another table", () => {
      expect(found(...table, "```", "GET link:7", "```")).toEqual([])
      expect(found(...table, "## Limits", ...example)).toEqual([])
      expect(found(...table, "| a | b |", "|---|---|", "", ...example)).toEqual([])
    })
  })

  describe("whose sentences are on several lines", () => {
    const found = (...text: string[]) =>
      pageSlips(schema({ session: "1h", audit: "never", profile: "3h" }), { text: text.join("\n") }).ttls.map(
        ({ key, line, claim }) => [key.name, line, claim],
      )
    const long = "Everything that we know of a user while they are logged in"

    it.each([
      ["a key, then its time", ["The session is at `session:{id}`, which expires", "after 30 minutes."], 2],
      ["in an item of a list", ["* `session:{id}` is the session, and is kept", "  for 30 minutes, then gone"], 2],
      ["on three lines", [`${long} is`, "at `session:{id}`, and that is kept", "for 30 minutes."], 3],
      ["behind a full line", [`${long} is at \`session:{id}\``, "and expires after 30 minutes."], 2],
      ["a time, then its key", [`After that ${long} expires after 30 minutes`, "at `session:{id}`."], 1],
      ["after a sentence that ends there", [`${long}. Then \`session:{id}\` expires`, "in 30 minutes. So be it."], 2],
    ] as const)("%s", (_, page, line) => expect(found(...page)).toEqual([["session", line, 30 * MINUTE]]))

    it.each([
      ["another item", ["* `session:{id}` is the session", "* tokens expire after 30 minutes"]],
      ["another paragraph", [`${long}: \`session:{id}\``, "", "tokens expire after 30 minutes"]],
      ["short lines, each for itself", ["`session:{id}`", "tokens expire after 30 minutes"]],
      ["another sentence", [`${long} is at \`session:{id}\`.`, "Tokens expire after 30 minutes."]],
      ["two keys", [`${long} is at \`session:{id}\` and \`link:{code}\`, which`, "expire after 30 minutes."]],
      ["what is vague", [`${long} is at \`session:{id}\`, and usually`, "expires after 30 minutes."]],
      ["a block", ["`session:{id}` is the session that expires", "```", "after 30 minutes", "```"]],
    ] as const)("not of %s", (_, page) => expect(found(...page)).toEqual([]))

    it("a line that says something by itself is what counts", () => {
      expect(found(`${long}, \`link:{code}\``, "session:7 expires after 30 minutes")).toEqual([
        ["session", 2, 30 * MINUTE],
      ])
    })
  })

  it("is reported with what it says and what is declared", () => {
    const [first] = checkPage(schema({ session: "1h", audit: "never", profile: "3h" }), page)
    expect(first?.message).toBe(
      "the page says that session:{id} expires after 30m; the schema says that it expires after 1h",
    )
  })
})
