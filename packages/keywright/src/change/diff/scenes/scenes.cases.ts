/* Every row of the table as two schemas that differ in it. verdicts.test.ts runs the programs of
 * both on a real server. */

import { arrivalScenes } from "./arrival-scenes.cases.ts"
import { codecScenes } from "./codec-scenes.cases.ts"
import { drainScenes } from "./drain-scenes.cases.ts"
import { entityScenes } from "./entity-scenes.cases.ts"
import { familyScenes } from "./family-scenes.cases.ts"
import { fieldScenes } from "./field-scenes.cases.ts"
import { kindScenes } from "./kind-scenes.cases.ts"
import { lifeScenes } from "./life-scenes.cases.ts"
import { patternScenes } from "./pattern-scenes.cases.ts"
import { ruleScenes } from "./rule-scenes.cases.ts"
import { serverScenes } from "./server-scenes.cases.ts"
import type { Scene } from "./scene.cases.ts"

export const scenes: readonly Scene[] = [
  ...patternScenes,
  ...arrivalScenes,
  ...kindScenes,
  ...codecScenes,
  ...fieldScenes,
  ...entityScenes,
  ...lifeScenes,
  ...familyScenes,
  ...ruleScenes,
  ...drainScenes,
  ...serverScenes,
]
