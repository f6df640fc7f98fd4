/* What to do about a change, in commands that exist; where there is no command, it says so. */

import { shellLine } from "../../errors/shell-line.ts"
import { paramNames } from "../../schema/locate.ts"
import { patternGlob } from "./pattern-shape.ts"
import type { Change } from "./change.ts"
import type { DataWork } from "./verdict.ts"

export interface Advice {
  /** When, among the steps of the deployment. */
  readonly when: "before deploying" | "after the last old writer" | "before new readers" | "any time"
  /** A line for the shell; absent where no command does it yet, or where a name in it cannot be written safely. */
  readonly command?: string
  readonly text: string
}

type AdviceStep = Omit<Advice, "command"> & { readonly command?: (change: Change) => string | undefined }

const name = ({ oldKey, newKey, path }: Change): string => (newKey ?? oldKey ?? path).split("#")[0] as string
const oldName = ({ oldKey, path }: Change): string => (oldKey ?? path).split("#")[0] as string

const audit = () => "keywright audit --url …"
const repair = () => "keywright repair --url … --out plan.json && keywright repair --url … --apply plan.json"

const saved: AdviceStep = {
  when: "before deploying",
  command: (change) =>
    shellLine`keywright export --schema OLD --only ${oldName(change)} --url … --secrets --out ${`${oldName(change)}.ndjson`}`,
  text: "saves the existing data, with the old schema",
}

/** For each kind of work: the commands of today, by the new schema where not said otherwise. */
const steps: Readonly<Record<DataWork, readonly AdviceStep[]>> = {
  nothing: [],
  audit: [{ when: "before deploying", command: audit, text: "shows what does not fit" }],
  rewrite: [
    { when: "before deploying", command: audit, text: "shows the values that do not fit (VALUE.UNDECODABLE)" },
    {
      when: "before new readers",
      text: "rewriting values: there is no command for it yet; a program of your own reads with the old schema and writes with the new one",
    },
  ],
  move: [
    saved,
    {
      when: "before new readers",
      text: "moving keys on one server: there is no command for it yet; stop all programs, rename the keys (RENAME), start the new ones",
    },
  ],
  convert: [
    saved,
    {
      when: "before new readers",
      text: "converting keys: there is no command for it yet; a program of your own does it while all others are stopped",
    },
  ],
  backfill: [
    { when: "after the last old writer", command: audit, text: "shows the records without the field" },
    {
      when: "before new readers",
      text: "filling it in: there is no command for it yet; a program of your own updates those records (without downtime: declare it optional, deploy, fill it in, and then require it)",
    },
  ],
  index: [
    { when: "after the last old writer", command: repair, text: "builds it from the records" },
    { when: "before new readers", command: audit, text: "finds nothing more" },
  ],
  purge: [
    {
      when: "after the last old writer",
      command: (change) => shellLine`keywright purge --schema OLD ${oldName(change)} --url …`,
      text: "deletes what is left, with the old schema and after showing a plan",
    },
  ],
  expire: [
    {
      when: "after the last old writer",
      command: repair,
      text: "gives the declared TTL to keys that lack it or live longer",
    },
  ],
  persist: [
    { when: "after the last old writer", command: repair, text: "removes the TTL from keys that must have none" },
  ],
  trim: [
    {
      when: "before deploying",
      command: (change) =>
        shellLine`keywright export --only ${name(change)} --url … --secrets --out ${`${name(change)}.ndjson`}`,
      text: "saves what will be trimmed",
    },
    {
      when: "after the last old writer",
      command: () => "keywright repair --url … --delete excess --out plan.json",
      text: "trims the keys that nobody writes to now",
    },
  ],
  refill: [
    {
      when: "after the last old writer",
      command: (change) => shellLine`keywright purge --schema OLD ${oldName(change)} --url …`,
      text: "empties it, so that it is filled as a whole",
    },
  ],
  drain: [
    {
      when: "after the last old writer",
      text: "moving what is on its way: there is no command for it yet; a program of the old schema calls run() of the drain until it returns { batches: 0, busy: 0 }",
    },
  ],
  raise: [{ when: "before deploying", command: repair, text: "raises the counter to the highest id (COUNTER.BEHIND)" }],
}

/** Where only the names of the keys differ, another server can have them in their new places. */
const isCopied = ({ code, oldKey, newKey }: Change): boolean =>
  (code === "PATTERN.MOVED" || code === "TAG.CHANGED") && oldKey === newKey

const copied: AdviceStep = {
  when: "before new readers",
  command: () => "keywright copy --schema OLD --to-schema NEW --from … --to … --pause 30s",
  text: "copies all keys to another server, under their new names, if no other change concerns the stored data",
}

export function adviceFor(change: Change): Advice[] {
  const usual = change.leftovers !== undefined && change.data === "purge" ? [] : steps[change.data]
  const own = isCopied(change) ? [usual[0]!, copied, ...usual.slice(1)] : usual
  return [
    ...own.map(({ command, ...step }) => (command === undefined ? step : withCommand(step, command(change)))),
    ...(change.leftovers ?? []).map(leftoverStep),
  ]
}

/** Keys beside the records: purge by the name of the entity would delete the records. */
const leftoverStep = (pattern: string): Advice =>
  withCommand(
    { when: "after the last old writer", text: "deletes keys that no pattern owns now" },
    paramNames(pattern).length === 0
      ? shellLine`redis-cli -u … UNLINK ${pattern}`
      : shellLine`keywright purge --unknown --match ${patternGlob(pattern)} --url …`,
  )

/** A schema may come from a server: its names are not put into a command that a shell would understand in another way. */
const withCommand = (step: Omit<Advice, "command">, command: string | undefined): Advice =>
  command === undefined
    ? { ...step, text: `${step.text}: write the command yourself, because a shell could misread a name in it` }
    : { ...step, command }
