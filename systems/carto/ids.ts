/* What names and ids look like, in keys, in values and in requests alike. */

import { id, int, oneOf, secret } from "keywright"

export const GEOMETRIES = [
  "point",
  "multipoint",
  "linestring",
  "multilinestring",
  "polygon",
  "multipolygon",
  "geometry",
  "empty",
] as const
export const VERBS = ["select", "insert", "update", "delete", "other"] as const

export type Geometry = (typeof GEOMETRIES)[number]
export type Verb = (typeof VERBS)[number]

export const userId = id("user", int({ min: 1 }))
/** A username is a subdomain. */
export const username = id("username", { matching: /[a-z0-9][a-z0-9-]{0,62}/ })
export const databaseName = id("database", { matching: /[a-z_][a-z0-9_]{0,62}/ })
/** With or without its schema. */
export const table = id("table", { matching: /([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,62}/ })
export const visualization = id("visualization", { matching: /[^\s\p{C}:*?[\]\\{}]{1,128}/u })
export const oauthToken = secret(id("oauthToken", { matching: /[^\s\p{C}:*?[\]\\{}]{1,256}/u }))
const octet = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)"
const ipv4 = new RegExp(`${octet}(?:\\.${octet}){3}`)
const ipv6 = /(?=[^:]*:)[0-9A-Fa-f:.]{2,45}(?:%[\w.-]{1,32})?/
export const ip = id("ip", {
  matching: new RegExp(`${ipv4.source}|${ipv6.source}`),
  allow: ":",
  example: "85.223.1.123",
})
/** A part of an entry in the log of requests: `#` separates them. */
export const logPart = (name: string, example: string) => id(name, { matching: /[^#\s]{1,255}/, example })
/** Columns with commas between, each with a name; or none at all. */
export const isColumnList = (text: string): boolean =>
  text.trim() === "" || text.split(",").every((column) => column.trim() !== "")
export const verb = oneOf(...VERBS)
export const geometry = oneOf(...GEOMETRIES)
