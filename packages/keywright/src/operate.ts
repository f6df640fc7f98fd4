/**
 * Looking after a server from within an application: what the command line does, as functions.
 * @module keywright/operate
 */

export * from "./inspect/index.ts"
export * from "./change/index.ts"
