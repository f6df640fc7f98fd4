/**
 * What puts a companion key into the same slot of a cluster: the key's own hash tag, or the whole key as a hash
 * tag.
 */
export function slotTag(key: string, cluster: boolean): string {
  if (!cluster) return ""
  const open = key.indexOf("{")
  const close = open < 0 ? -1 : key.indexOf("}", open + 1)
  const tag = close > open + 1 ? key.slice(open + 1, close) : key
  return `{${tag}}:`
}
