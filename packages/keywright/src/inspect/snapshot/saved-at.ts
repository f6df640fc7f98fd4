import type { RdbFacts } from "../rdb/index.ts"

/**
 * When a file was written: the server notes the second, so the moment lies between two. A file that does not say is
 * taken to be of now.
 */
export function savedAt({ aux }: RdbFacts): { readonly earliest: number; readonly latest: number } {
  const seconds = Number(aux["ctime"])
  if (!(seconds > 0)) return { earliest: Date.now(), latest: Date.now() }
  return { earliest: seconds * 1000, latest: seconds * 1000 + 999 }
}
