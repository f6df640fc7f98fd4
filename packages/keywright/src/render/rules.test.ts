/* Bounds, choices and rules between keys, as a person would have written them, and as the
 * docs say them. */

import { expect, test } from "vitest"
import { keyspaces } from "../schema/json/keyspaces.cases.ts"
import { toJson } from "../schema/json/to-json.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { docPage } from "./page/doc-model.ts"
import { schemaSource } from "./source/schema-source.ts"

const shop = keyspaces.shop as unknown as Keyspace
const messenger = keyspaces.messenger as unknown as Keyspace

test("the source names bounds, choices and places", () => {
  const source = schemaSource(toJson(shop))
  expect(source).toContain("int({ min: 1, max: 1000000 })")
  expect(source).toContain('anyOf(compactDay, oneOf("total"))')
  expect(source).toContain('at("cart", "{token}")')
  expect(source).toContain('grace: "10s"')
  expect(source).toContain('at("challenge", "value.days.length")')
  const other = schemaSource(toJson(messenger))
  expect(other).toMatch(/excludes\(\s*"live.service.banned",\s*"live.service.subscriber.channels",?\s*\)/)
  expect(other).toContain('truth: "live.service.subscriber.channels"')
})

test("the docs say every rule as a sentence", () => {
  expect([...docPage(shop).invariants, ...docPage(messenger).invariants]).toEqual([
    "the same token ids are in `login` and `recent`: Both forget a session together.",
    "every token in `viewed` exists in `login`",
    "every token in `{token}` of `cart` exists in `login` or `member` of `recent` within 10s",
    "`value.days.length` of `challenge` equals 5: Five days.",
    "`live.service.channel.subscribers` and `live.service.subscriber.channels` say the same from both sides",
    "nothing is both in `live.service.banned` and in `live.service.subscriber.channels`",
    "`value.params.token` of `live.tokenKeys` equals `field` of `live.tokenKeys` (none when there is none)",
  ])
})
