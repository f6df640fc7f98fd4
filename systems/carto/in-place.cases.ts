/* Where the keys of the document are on a Redis Cluster: databases are prefixes, and owners
 * are hash tags in place. */

import type { Placement } from "../platform/testing/cluster-server.ts"

/** The owner in a key of each database. */
const OWNERS: Readonly<Record<number, RegExp>> = {
  0: /^(rails:)([^:]+)(?=:)/,
  2: /^(rails:users:)([^:]+)(?=:)/,
  5: /^(rails:users:|user:|keywright:api-calls:)([^:]+)/,
}

export const inPlace: Placement = {
  title: "on a cluster",
  settings: { placement: "cluster" },
  keysOf(key, _, db) {
    const owner = OWNERS[db]
    return [`db${db}:${owner === undefined ? key : key.replace(owner, "$1{$2}")}`]
  },
  nameOf(key, db) {
    return key.startsWith(`db${db}:`) ? key.slice(`db${db}:`.length).replace(/[{}]/g, "") : undefined
  },
  told: (text) =>
    text
      .replaceAll(/\bdb\d:(?=[a-z])/g, "")
      .replaceAll(/(rails:|users:|user:|api-calls:)\{([^{}:"]+)\}/g, "$1$2")
      .replaceAll(/\{\{(\w+)\}\}/g, "{$1}"),
}
