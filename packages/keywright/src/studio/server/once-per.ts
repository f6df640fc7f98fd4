/** What is made of an object, made once for each: schemas and systems do not change while the studio runs. */
export function oncePer<K extends object, V extends object>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, V>()
  return (of) => {
    let known = made.get(of)
    if (known === undefined) made.set(of, (known = make(of)))
    return known
  }
}
