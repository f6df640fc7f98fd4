/* The command line as its users have it, for tests of the systems, which do not reach into the toolkit's sources. */

export { freshBundle, runCli } from "../packages/keywright/src/cli/run-cli.cases.ts"
