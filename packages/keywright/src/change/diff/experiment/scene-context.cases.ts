/* What the scenes have that say for themselves what their programs do. */

import type { Keyspace } from "../../../index.ts"
import type { Driver } from "../../../driver/driver.ts"
import { audit } from "../../../inspect/audit/audit.ts"
import type { Scene } from "../scenes/scene.cases.ts"
import { expected, type Any, type Outcome } from "./program.cases.ts"

export interface SceneContext {
  readonly scene: Scene
  readonly url: string
  readonly driver: Driver
  /** Clients of the old and of the new schema. */
  readonly old: Any
  readonly now: Any
}

export const cleared = ({ driver }: SceneContext): Promise<unknown> => driver.send(["FLUSHALL"])

/** Whether a program got what its schema promises; an error of ours is a failure. */
export async function outcomeOf(work: () => Promise<boolean>): Promise<Outcome> {
  try {
    return (await work()) ? "works" : "silent"
  } catch (error) {
    return expected(error)
  }
}

/** The codes of what audit finds by a schema. */
export async function foundBy(keyspace: Keyspace, { driver }: SceneContext): Promise<string[]> {
  return Object.keys((await audit(keyspace, driver)).summary)
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
