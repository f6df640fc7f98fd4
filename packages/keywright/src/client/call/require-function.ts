import { argumentRefused } from "../../errors/client.ts"

/** For what is called later: there, the engine's own error would not say whose mistake it is. */
export function requireFunction(what: string, given: unknown): void {
  if (typeof given !== "function") throw argumentRefused(what, "a function", given)
}
