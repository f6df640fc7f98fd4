import { systemNamed } from "./studio.ts"

/** The server of a system, without the number of its database: systems that share one have the same. */
export const serverOf = (system: string): string => (systemNamed(system)?.server ?? "?").replace(/\/\d+(?=\s|$)/, "")
