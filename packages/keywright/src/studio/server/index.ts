/**
 * The studio from within a program: `import { startStudio } from "keywright/studio"`.
 * @module keywright/studio
 */

export { startStudio, type RunningStudio, type StartStudioOptions } from "./start-studio.ts"
export type { StudioSystem } from "./open-system.ts"
