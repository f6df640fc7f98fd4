/* Keys that read like those of a record, and that another pattern owns: where users are at `user:{id}` and the list of
 * their ids is at `user:list`, there is no user `list`, although the key exists. */

import { type Classifier, classifier } from "../../schema/classify/classify.ts"
import type { Database } from "../walk/databases.ts"
import { getOrMake } from "../walk/get-or-make.ts"
import type { EntityModel } from "./entity-model.ts"
import { databaseOf, type Model } from "./model.ts"

/** Made once for each database of a model. */
const classifiers = new WeakMap<Database, Classifier>()

/** Makes the function that says whether a key that should be a record of this entity belongs to another pattern. */
export function foreignTo(model: Model, { record }: EntityModel): (key: string) => boolean {
  const database = databaseOf(model, record)
  const { keys, classify } = getOrMake(classifiers, database, () => classifier(database.keys))
  return (key) => {
    const owner = keys[classify(key)]
    return owner !== undefined && owner.name !== record.declared.name
  }
}
