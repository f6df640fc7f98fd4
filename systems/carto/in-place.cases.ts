/* Where the keys of the document are on a Redis Cluster: databases are prefixes, and owners
 * are hash tags in place. */

import type { Placement } from "../platform/testing/cluster-server.ts"

/** The owner in a key of each database. */
const OWNERS: Readonly<Record<number, RegExp>> = {
  0: /^(rails:)([^:]+)(?=:)/,
  2: /^(rails:users:)([^:]+)(?=:)/,
  5: /^(rails:users:|user:|keywright:api-calls:)([^:]+)/,
}

const inTag = (key: string, db: number): string => {
  const owner = OWNERS[db]
  return owner === undefined ? key : key.replace(owner, "$1{$2}")
}

/** On a cluster of Valkey, which has databases: tags alone. */
export const inDatabases: Placement = {
  title: "on a cluster of Valkey, in its databases",
  settings: { placement: "cluster-databases" },
  numbered: true,
  keysOf: (key, _, db) => [inTag(key, db)],
  nameOf: (key) => key.replace(/[{}]/g, ""),
  told: withoutOwners,
}

export const inPlace: Placement = {
  title: "on a cluster",
  settings: { placement: "cluster" },
  keysOf(key, _, db) {
    return [`db${db}:${inTag(key, db)}`]
  },
  nameOf(key, db) {
    return key.startsWith(`db${db}:`) ? key.slice(`db${db}:`.length).replace(/[{}]/g, "") : undefined
  },
  told: (text) => withoutOwners(text.replaceAll(/\bdb\d:(?=[a-z])/g, "")),
}

function withoutOwners(text: string): string {
  return text.replaceAll(/(rails:|users:|user:|api-calls:)\{([^{}:"]+)\}/g, "$1$2").replaceAll(/\{\{(\w+)\}\}/g, "{$1}")
}
