/* Drivers that do one thing wrong, for the writers alone: what the checker has to find.
 *
 *   no compare of reads          commits go through whatever became of what was read
 *   no operation id              a repetition is carried out once more
 *   resend counted as refusal    a lost reply is reported as certainly not applied */

import { createHash, randomUUID } from "node:crypto"
import type { Driver, Script, Wire } from "../../driver/driver.ts"
import { type DriverOptions, findDriver as findRealDriver } from "../../driver/find-driver.ts"
import type { RespOptions } from "../../driver/resp/open-resp.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"

export type Mutant = "no compare of reads" | "no operation id" | "resend counted as refusal"

/** Takes the place of the module that finds drivers, when the writer is bundled. @public */
export function findDriver(given: string | DriverOptions, options: RespOptions = {}): Driver {
  return mutants[process.env["KEYWRIGHT_MUTANT"] as Mutant](findRealDriver(given, options))
}

type Run = Driver["run"]

const mutants: Readonly<Record<Mutant, (driver: Driver) => Driver>> = {
  "no compare of reads": (driver) =>
    withRun(driver, (script, keys, args, options) => driver.run(uncompared(script), keys, args, options)),
  "no operation id": (driver) =>
    withRun(driver, (script, keys, args, options) => driver.run(script, keys.map(forgotten), args, options)),
  "resend counted as refusal": (driver) => {
    const refused = <T>(call: Promise<T>): Promise<T> =>
      call.catch((error: unknown) => {
        if (!(error instanceof OutcomeUnknown)) throw error
        throw new NotApplied("SERVER.LOADING", "the server refused the command when it was sent again")
      })
    return spoil(driver, {
      send: (...call) => refused(driver.send(...call)),
      multi: (...call) => refused(driver.multi(...call)),
      run: (...call) => refused(driver.run(...call)),
    })
  },
}

const withRun = (driver: Driver, run: Run) => spoil(driver, { run })

/** The driver with some methods replaced. */
const spoil = (driver: Driver, own: Partial<Driver>): Driver =>
  new Proxy(driver, {
    get(target, name) {
      if (name in own) return own[name as keyof Driver]
      const value: unknown = Reflect.get(target, name)
      return typeof value === "function" ? (value.bind(target) as unknown) : value
    },
  })

const forgotten = (key: Wire): Wire => (String(key).startsWith("keywright:op:") ? `keywright:op:${randomUUID()}` : key)

const uncomparedScripts = new Map<string, Script>()

/** The script that commits, without its comparisons of what is only read. */
function uncompared(script: Script): Script {
  let one = uncomparedScripts.get(script.sha1)
  if (!one) {
    const source = script.name === "apply" ? withoutComparisons(script.source) : script.source
    one = { ...script, source, sha1: createHash("sha1").update(source).digest("hex") }
    uncomparedScripts.set(script.sha1, one)
  }
  return one
}

/** Each condition, and what it becomes. Strings that are written too are still compared: an update of one record is not what is tested. */
const conditions: readonly (readonly [string, string])[] = [
  [
    "if found[i - from + 1] ~= ARGV[stringsAt + i - 1] then",
    `local isWritten = false
      for j = i + 1, #KEYS do
        isWritten = isWritten or KEYS[j] == KEYS[i]
      end
      if isWritten and found[i - from + 1] ~= ARGV[stringsAt + i - 1] then`,
  ],
  ["return not isSame and { false } or nil", "return nil"],
  ["return not givesDigest(key) and { false } or nil", "givesDigest(key) return nil"],
]

function withoutComparisons(source: string): string {
  for (const [condition, instead] of conditions) {
    if (!source.includes(condition)) throw new Error(`the script that commits has no line "${condition}" any more`)
    source = source.replace(condition, instead)
  }
  return source
}
