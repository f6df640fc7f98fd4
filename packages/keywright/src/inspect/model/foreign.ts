/* Keys that read like those of a record, and that another pattern owns: where users are at `user:{id}` and the list of
 * their ids is at `user:list`, there is no user `list`, although the key exists. */

import { classifier } from "../../schema/classify/classify.ts"
import type { Key } from "../../schema/key.ts"
import { getOrMake } from "../walk/get-or-make.ts"
import type { EntityModel } from "./entity-model.ts"
import { databaseOf, type KeyModel, type Model } from "./model.ts"

type FindOwner = (key: string) => Key | undefined

const ofModels = new WeakMap<Model, Map<number, FindOwner>>()

/** Makes the function that says whether a key that should be a record of this entity belongs to another pattern. */
export function foreignTo(model: Model, { record }: EntityModel): (key: string) => boolean {
  const ownerOf = ownersBeside(model, record)
  return (key) => {
    const owner = ownerOf(key)
    return owner !== undefined && owner.name !== record.declared.name
  }
}

/** Made once for each database of a model. */
function ownersBeside(model: Model, record: KeyModel): FindOwner {
  const owners = getOrMake(ofModels, model, () => new Map<number, FindOwner>())
  return getOrMake(owners, record.db, () => {
    const { keys, classify } = classifier(databaseOf(model, record).keys)
    return (key) => keys[classify(key)]
  })
}
