/* What can be wrong with a call of the command line, before any work is done. */

import { KeywrightError } from "./error.ts"
import { shellLine } from "./shell-line.ts"
import { failedWith } from "./failed-at.ts"
import { withoutPasswords } from "./without-passwords.ts"

export const usageRefused = (message: string, fix: string) =>
  new KeywrightError("CLI.USAGE", withoutPasswords(message), { fix: withoutPasswords(fix) })

/** For a file in the place of an address. */
export const rdbMeant = (file: string): string => `Did you mean ${shellLine`--rdb ${file}` ?? "--rdb <file>"}?`

export const configMissing = (where: string) =>
  new KeywrightError("CLI.CONFIG_MISSING", `${withoutPasswords(where)} has no keywright.config.ts`, {
    why: "The command works on a schema, and none was named.",
    fix: "Write `export default { keyspace }` into keywright.config.ts, or pass --config <folder> or --schema <file>.",
  })

export const schemaNowhere = (command: string) =>
  new KeywrightError("CLI.CONFIG_MISSING", "this folder has no keywright.config.ts, and no server was named", {
    why: "The command works on a schema, or infers one from the keys of a server.",
    fix: `Name a server: keywright ${command} redis://localhost:6379. Or pass --config <folder> or --schema <file>.`,
  })

export const fileMissing = (path: string) =>
  new KeywrightError("CLI.FILE_MISSING", `there is no file ${withoutPasswords(path)}`, {
    fix: "Check the path: it is relative to this folder.",
  })

export const schemaBroken = (path: string, cause: unknown) => {
  const why = cause instanceof Error ? (cause.message.split("\n")[0] as string) : String(cause)
  const [, missing] = /Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w-][\w.-]*)/.exec(why) ?? []
  return new KeywrightError("CLI.SCHEMA_BROKEN", `${path} could not be loaded`, {
    why: failedWith(why),
    fix:
      missing === undefined
        ? "Run it by itself, or type-check it, and fix what is reported."
        : `Run \`npm install ${missing}\`.`,
    cause,
  })
}

export const schemaNotFound = (path: string, found: readonly string[]) =>
  new KeywrightError("CLI.NO_KEYSPACE", `${path} exports no keyspace`, {
    why: found.length === 0 ? "It exports nothing." : `It exports ${found.join(", ")}.`,
    fix: "Export what keyspace(…) returns, or `export default { keyspace }`.",
  })

export const schemaAmbiguous = (path: string, names: readonly string[]) =>
  new KeywrightError("CLI.SEVERAL_KEYSPACES", `${path} exports several keyspaces: ${names.join(", ")}`, {
    fix: `Name one of them: ${shellLine`--schema ${`${path}#${names[0]}`}` ?? "--schema <file>#<name>"}.`,
  })

export const configRefused = (path: string, why: string) =>
  new KeywrightError("CLI.CONFIG", `${path} is not understood: ${why}`, {
    fix: 'Write `export default { keyspace, url?: "redis://…", rules?: […], levels?: { "SCHEMA.UNDOCUMENTED": "off" } }`.',
  })

export const configForeign = (path: string) =>
  new KeywrightError("CLI.CONFIG", `${path} belongs to another user, in a folder that everybody may write to`, {
    why: "A config is code, and would run as you.",
    fix: `Use another folder; or look at the file, and name it: --config ${path}`,
  })

export const serverRequired = (command: string) =>
  new KeywrightError("CLI.SERVER_REQUIRED", `keywright ${command} needs a server, and none was named`, {
    why: "The embedded engine would be empty, so there would be nothing to look at.",
    fix: "Pass --url redis://host:6379, set REDIS_URL, or set `url` in keywright.config.ts.",
  })

export const notRedis = (server: string, cause: unknown) =>
  new KeywrightError("CLI.NOT_REDIS", `${server} answers, but not like a Redis server`, {
    why: "Another program listens there, or the server expects TLS.",
    fix: "Check host and port; for TLS write rediss:// instead of redis://.",
    cause,
  })

/** The command is not repeated: it may hold a password. */
export const thenFailed = (code: number | null) =>
  new KeywrightError("CLI.THEN", `the command of --then failed (${code === null ? "by a signal" : `exit ${code}`})`, {
    why: "Writers were waiting, and now continue on the source.",
    fix: "Make it exit with 0 once your programs use the other server, and run the same call again.",
  })
