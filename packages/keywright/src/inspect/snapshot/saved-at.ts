import type { RdbFacts } from "../rdb/index.ts"

/**
 * When a file was written: the server notes the second, so the moment lies between two. A file that does not say, or
 * that claims to be of the future, is taken to be of now: a server that loads it has every key that has not expired.
 */
export function savedAt({ aux }: RdbFacts): { readonly earliest: number; readonly latest: number } {
  const now = Date.now()
  const seconds = Number(aux["ctime"])
  if (!(seconds > 0 && seconds * 1000 < now)) return { earliest: now, latest: now }
  return { earliest: seconds * 1000, latest: seconds * 1000 + 999 }
}
