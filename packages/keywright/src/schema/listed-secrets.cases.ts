/* Secrets that are listed (`secret: ["pin"]`) instead of being declared with their codecs, in every kind that has
 * fields or documents, and fields that repeat a secret part of their key; and data that hold a canary there. */

import { deflateRawSync } from "node:zlib"
import * as z from "zod"
import type { Wire } from "../driver/driver.ts"
import { anyOf } from "./codec/any-of.ts"
import { compressed } from "./codec/bytes.ts"
import { delimited, many } from "./codec/delimited.ts"
import { json } from "./codec/json.ts"
import { messagePack } from "./codec/message-pack.ts"
import { int } from "./codec/number.ts"
import { php } from "./codec/php.ts"
import { quoted } from "./codec/quoted.ts"
import { text } from "./codec/text.ts"
import { optional, secret } from "./codec/wrap.ts"
import { hash, list, map, set, stream, string, zset } from "./define.ts"
import { entity } from "./entity.ts"
import { hideSecrets } from "./hidden-secrets.ts"
import { keyspace } from "./keyspace.ts"

hideSecrets() // as the client and the audit do when they are loaded, which is before any schema

export const CANARY = "CANARY"

const card = json(z.object({ id: z.string(), pin: z.string() }))
class Card {
  readonly pin: string
  constructor({ pin }: { pin: string }) {
    this.pin = pin
  }
  get isShort(): boolean {
    return this.pin.length < 4
  }
}
/** Stores a secret under another name than the one that is listed. */
const renaming = json(z.object({ p: z.string() }).transform(({ p }) => ({ pin: p })))
/** Has a copy of it under another name. */
const copying = json(z.object({ pin: z.string() }).transform(({ pin }) => ({ code: pin })))
const columns = delimited("|", { name: text, pin: text })
/** Documents in composites: with the listed name, under another one, and copied to another one. */
const anything = json(z.any())
const composites = {
  rows: optional(delimited("#", { name: text, card: anything })),
  renamedRow: optional(delimited("#", { name: text, card: renaming })),
  copiedRow: optional(delimited("#", { name: text, card: copying })),
  many: optional(many(anything, "#")),
  renamedMany: optional(many(renaming, "#")),
  copiedMany: optional(many(copying, "#")),
  any: optional(anyOf(int, anything)),
  renamedAny: optional(anyOf(int, renaming)),
  copiedAny: optional(anyOf(int, copying)),
  quoted: optional(quoted(anything)),
  renamedQuoted: optional(quoted(renaming)),
  copiedQuoted: optional(quoted(copying)),
  packedAny: optional(compressed(anyOf(int, copying))),
}
const listed = { secret: ["pin"] } as const
const nested = { pin: "1234", of: { pin: CANARY }, all: [{ deep: { pin: [CANARY] } }] }
const params = { token: secret(text) }

export const wallet = keyspace(
  {
    card: string("card:{id}", card, listed),
    cards: list("cards:{id}", card, listed),
    cardSet: set("card-set:{id}", card, listed),
    ranked: zset("ranked:{id}", card, listed),
    named: map("named:{id}", text, card, listed),
    settings: map("settings:{id}", text, text, listed),
    fields: hash("fields:{id}", { name: text, pin: text, code: optional(int) }, { secret: ["pin", "code"] }),
    holder: hash("holder:{id}", { name: text, card: optional(json(z.any())) }, listed),
    packed: hash(
      "packed:{id}",
      {
        name: text,
        json: optional(json(z.any())),
        packed: optional(messagePack(json(z.any()))),
        small: optional(compressed(json(z.any()))),
        made: optional(json(z.any().transform((of: { pin: string }) => new Card(of)))),
        inside: optional(json(z.any().transform((of: { pin: string }) => ({ of: [new Card(of)] })))),
        spelled: optional(json(z.any().transform((of) => JSON.stringify(of)))),
        renamed: optional(json(z.any().transform((of: { pin: string }) => ({ code: of.pin })))),
      },
      listed,
    ),
    packedCard: string("packed-card:{id}", messagePack(json(z.any())), listed),
    packedCards: list("packed-cards:{id}", messagePack(json(z.any())), listed),
    smallCard: string("small-card:{id}", compressed(copying), listed),
    phpCard: string("php-card:{id}", php(json(z.any())), listed),
    rows: list("rows:{id}", columns, listed),
    row: hash("row:{id}", { name: text, columns }, listed),
    composite: hash("composite:{id}", { name: text, ...composites }, listed),
    compositeLog: stream("composite-log:{id}", { name: text, ...composites }, listed),
    manyCards: string("many-cards:{id}", many(copying, "#"), listed),
    anyCard: string("any-card:{id}", anyOf(int, copying), listed),
    cardRows: list("card-rows:{id}", delimited("#", { name: text, card: copying }), listed),
    manyLists: list("many-lists:{id}", many(renaming, "#"), listed),
    anySet: set("any-set:{id}", anyOf(int, copying), listed),
    quotedMap: map("quoted-map:{id}", quoted(copying), quoted(renaming), listed),
    renamed: string("renamed:{id}", renaming, listed),
    renamedList: list("renamed-list:{id}", renaming, listed),
    renamedHash: hash("renamed-hash:{id}", { name: text, card: renaming }, listed),
    renamedLog: stream("renamed-log:{id}", { name: text, card: renaming }, listed),
    copied: string("copied:{id}", copying, listed),
    whole: hash("whole:{id}", { name: text, n: int }, { secret: true }),
    wholeLog: stream("whole-log:{id}", { name: text }, { secret: true }),
    scores: zset("scores:{id}", text, { score: int, secret: true }),
    anything: string("anything:{id}", anything, listed),
    anyList: list("any-list:{id}", anything, listed),
    anyHash: hash("any-hash:{id}", { name: text, card: anything, php: php(anything) }, listed),
    log: stream("log:{id}", { name: text, pin: text, card: optional(json(z.any())) }, listed),
    account: entity("account:{id}", { id: text, name: text, pin: int }, listed),
    /** Its id is listed: its list and its indexes hold it, too. */
    pass: entity(
      "pass:{id}",
      { id: text, name: text },
      { secret: ["id"], all: "passes", unique: { name: "pass-name:{name}" }, index: { same: "pass-same:{name}" } },
    ),
    /** A listed field that is a part of the key. */
    ticket: hash("ticket:{code}", { code: text, name: text }, { secret: ["code"] }),
    session: hash("session:{token}", { token: text, name: text, n: int }, { params }),
    visits: stream("visits:{token}", { token: text, name: text }, { params }),
  },
  { ttl: "never" },
)

const packed = compressed(json(z.any())).encode({ pin: CANARY })
const document = JSON.stringify({ id: "1", pin: CANARY })
/** JSON.parse takes the last of two fields with one name. */
const twice = `{"id":"3","of":{"pin":"${CANARY}"},"of":{}}`

const renamed = `{"p":"${CANARY}"}`
const compositePairs = [
  ...["rows", `a#${document}`, "renamedRow", `a#${renamed}`, "copiedRow", `a#${document}`],
  ...["many", `${document}#${document}`, "renamedMany", renamed, "copiedMany", document],
  ...["any", document, "renamedAny", renamed, "copiedAny", document],
  ...["quoted", JSON.stringify(document), "renamedQuoted", JSON.stringify(renamed)],
  ...["copiedQuoted", JSON.stringify(document), "packedAny", packed],
]

const phpTwice = `a:2:{s:1:"a";a:1:{s:3:"pin";s:6:"${CANARY}";}s:1:"a";i:1;}`
/** The map of {@link phpTwice} as MessagePack. */
const packedTwice = Buffer.concat([
  Buffer.from([0x82]),
  ...["a", { pin: CANARY }, "a", 1].map((part) => messagePack(anything).encode(part as never)),
])

export const walletWrites: readonly (readonly Wire[])[] = [
  ["HSET", "packed:1", "name", "a", "json", document.slice(0, -1), "made", document.slice(0, -2)],
  ["HSET", "packed:2", "name", "a", "packed", messagePack(json(z.any())).encode(nested), "small", packed],
  ["HSET", "packed:3", "name", "a", ...["made", "inside", "spelled", "renamed"].flatMap((name) => [name, document])],
  ["SET", "packed-card:1", messagePack(json(z.any())).encode(nested)],
  ["RPUSH", "packed-cards:1", messagePack(json(z.any())).encode(nested)],
  ["SET", "small-card:1", packed],
  ["SET", "php-card:1", php(json(z.any())).encode(nested)],
  ["HSET", "settings:1", "name", "a", "pin", CANARY],
  ["RPUSH", "rows:1", `a|${CANARY}`, `a|b|${CANARY}`],
  ["HSET", "row:1", "name", "a", "columns", `a|${CANARY}`],
  ["HSET", "row:2", "name", "a", "columns", `a|b|${CANARY}`],
  ["HSET", "composite:1", "name", "a", ...compositePairs],
  ["HSET", "composite:2", "name", "a", ...compositePairs.map((word, i) => (i % 2 === 0 ? word : word.slice(0, -1)))],
  ["XADD", "composite-log:1", "*", "name", "a", ...compositePairs],
  ["SET", "many-cards:1", `${document}#${document}`],
  ["SET", "many-cards:2", document],
  ["SET", "any-card:1", document],
  ["SET", "any-card:2", document.slice(0, -1)],
  ["RPUSH", "card-rows:1", `a#${document}`, `a#${document.slice(0, -1)}`],
  ["RPUSH", "many-lists:1", renamed, `${renamed}#${renamed}`, renamed.slice(0, -1)],
  ["SADD", "any-set:1", document, "5"],
  ["HSET", "quoted-map:1", JSON.stringify(document), JSON.stringify(renamed)],
  ["SET", "renamed:1", `{"p":"${CANARY}"}`],
  ["RPUSH", "renamed-list:1", `{"p":"${CANARY}"}`],
  ["HSET", "renamed-hash:1", "name", "a", "card", `{"p":"${CANARY}"}`],
  ["XADD", "renamed-log:1", "*", "name", "a", "card", `{"p":"${CANARY}"}`],
  ["SET", "copied:1", document],
  ["SET", "card:1", document],
  ["SET", "card:2", JSON.stringify({ id: "2", ...nested })],
  ["SET", "card:3", twice],
  ["HSET", "whole:1", "name", CANARY, "n", CANARY, CANARY, "1"],
  ["HSET", "whole:2", CANARY, "1", ...Array.from({ length: 600 }, (_, i) => `${CANARY}${i}`)],
  ["XADD", "whole-log:1", "*", "name", "a", CANARY, "1"],
  ["ZADD", "scores:1", "1", CANARY],
  ["SET", "anything:2", JSON.stringify({ id: "4", of: document })],
  ["RPUSH", "any-list:2", JSON.stringify(document), JSON.stringify([JSON.stringify({ all: [document] })])],
  [
    "HSET",
    "any-hash:2",
    "name",
    document,
    "card",
    JSON.stringify(document),
    "php",
    php(anything).encode({ of: document }),
  ],
  ["SET", "anything:1", twice],
  ["RPUSH", "any-list:1", twice],
  ["HSET", "any-hash:1", "name", "a", "card", twice, "php", phpTwice],
  ["SET", "php-card:2", phpTwice],
  ["SET", "packed-card:2", packedTwice],
  ["RPUSH", "packed-cards:2", packedTwice],
  ["SET", "small-card:2", deflateRawSync(twice)],
  ["HSET", "holder:2", "name", "a", "card", twice, "other", twice],
  ["RPUSH", "cards:1", document, "{}", JSON.stringify({ id: "2", ...nested })],
  ["HSET", "named:2", "a", JSON.stringify({ id: "2", ...nested })],
  ["HSET", "holder:1", "name", "a", "card", JSON.stringify(nested)],
  ["SADD", "card-set:1", document, `{"pin":["${CANARY}"]}`],
  ["ZADD", "ranked:1", "1", document],
  ["HSET", "named:1", "a", document, "b", CANARY],
  ["HSET", "fields:1", "name", "a", "pin", CANARY, "code", CANARY],
  ["HSET", "fields:2", "name", "a", "pin", CANARY, ...Array.from({ length: 600 }, (_, i) => `more${i}`)],
  ["XADD", "log:1", "*", "name", "a", "pin", CANARY],
  ["XADD", "log:1", "*", "name", "a", "pin", CANARY, "card", JSON.stringify(nested)],
  ["HSET", "account:1", "id", "1", "name", "a", "pin", CANARY],
  ["HSET", "account:2", "id", "2", "name", "a", "pin", "1234"],
  ["HSET", `pass:${CANARY}`, "id", CANARY, "name", "a"],
  ["SADD", "passes", CANARY, `${CANARY}2`],
  ["SET", "pass-name:a", CANARY],
  ["SADD", "pass-same:a", CANARY],
  ["HSET", `ticket:${CANARY}`, "code", CANARY, "name", "a"],
  ["HSET", `session:${CANARY}`, "token", CANARY, "name", "a", "n", "x"],
  ["XADD", `visits:${CANARY}`, "*", "token", CANARY, "name", "a"],
]

/** Keys of which no codec reads what is secret: it is behind a name that comes again, or is not a canary. */
export const unreadKeys: ReadonlySet<string> = new Set([
  ...["account:2", "anything:1", "any-list:1", "any-hash:1"],
  ...["php-card:2", "packed-card:2", "packed-cards:2", "small-card:2"],
])
export const walletKeys: readonly string[] = [...new Set(walletWrites.map(([, key]) => String(key)))]
