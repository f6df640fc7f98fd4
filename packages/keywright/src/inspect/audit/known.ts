/* Keys that are known to exist: many records refer to the same few. Bounded. */

import type { Model } from "./model.ts"

const MOST = 50_000

export class KnownKeys {
  #keys = new Set<string>()

  has(key: string): boolean {
    return this.#keys.has(key)
  }

  add(key: string): void {
    if (this.#keys.size >= MOST) this.#keys = new Set()
    this.#keys.add(key)
  }
}

const ofModels = new WeakMap<Model, KnownKeys>()

/** Those of one audit. */
export function known(model: Model): KnownKeys {
  let keys = ofModels.get(model)
  if (keys === undefined) ofModels.set(model, (keys = new KnownKeys()))
  return keys
}
