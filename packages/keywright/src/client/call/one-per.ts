/** One for each object, made when it is first asked for; it ends with the object. */
export function onePer<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, V>()
  return (of) => {
    let one = made.get(of)
    if (one === undefined) made.set(of, (one = make(of)))
    return one
  }
}
