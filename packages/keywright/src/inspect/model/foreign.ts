/* Keys that read like those of a record, and that another pattern owns: where users are at `user:{id}` and the list of
 * their ids is at `user:list`, there is no user `list`, although the key exists. */

import { classifier } from "../../schema/classify/classify.ts"
import type { Key } from "../../schema/key.ts"
import type { EntityModel } from "./entity-model.ts"
import type { Model } from "./model.ts"

type FindOwner = (key: string) => Key | undefined

const ofModels = new WeakMap<Model, Map<number, FindOwner>>()

/** Makes the function that says whether a key that should be a record of this entity belongs to another pattern. */
export function foreignTo(model: Model, { record }: EntityModel): (key: string) => boolean {
  const ownerOf = ownersIn(model, record.db)
  return (key) => {
    const owner = ownerOf(key)
    return owner !== undefined && owner.name !== record.declared.name
  }
}

/** Made once for each database of a model. */
function ownersIn(model: Model, db: number): FindOwner {
  let owners = ofModels.get(model)
  if (owners === undefined) ofModels.set(model, (owners = new Map()))
  let found = owners.get(db)
  if (found === undefined) {
    const { keys, classify } = classifier(model.databases.find((one) => one.db === db)!.keys)
    owners.set(db, (found = (key) => keys[classify(key)]))
  }
  return found
}
