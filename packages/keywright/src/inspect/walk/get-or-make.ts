/** What a map has for a key; what is made for it first, where there is nothing yet. */
export function getOrMake<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let found = map.get(key)
  if (found === undefined) map.set(key, (found = make()))
  return found
}
