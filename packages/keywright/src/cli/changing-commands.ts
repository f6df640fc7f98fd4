/* The commands that change keys or move them. */

import type { CliCommand, Option } from "./command.ts"
import { RDB } from "./rdb-file.ts"
import { TIMEOUT, WALK } from "./walk-options.ts"

/** The options of commands that make or carry out a plan. */
const PLAN: readonly Option[] = [
  { flags: "-o, --out <file>", about: "save the plan there (default: only shown; with --apply, a new file here)" },
  { flags: "--apply [plan]", about: "carry out a saved plan, or the one made now" },
  { flags: "--undo <plan>", about: "undo what a plan did, by the journal beside it" },
  { flags: "-y, --yes", about: "carry it out without asking (without a terminal, nothing is ever asked)" },
  { flags: "--any-server", about: "allow a saved plan that was made on another server" },
  { flags: "--show <n>", about: "how many actions of each kind to show (default: 5)", as: "count" },
]

export const changingCommands: readonly CliCommand[] = [
  {
    name: "repair",
    summary: "plan, review and carry out repairs of what audit finds",
    about:
      "Audits, and shows a plan that repairs the findings: exit 1 when there are some. Nothing is written without --apply, and no file without --out. --apply carries the plan out while the server is in use: every action checks, in the same step, that its conditions still hold. Entities are the truth; data that is not derived is deleted only with --delete. The same --apply continues after a crash, and --undo reverts it.",
    needs: ["schema", "server"],
    options: [
      ...PLAN,
      {
        flags: "--delete <what>",
        about: "also delete: unknown, broken, conflicts, fields, orphans, excess; may be given several times",
        many: true,
      },
      ...WALK.filter(({ flags }) => !/--resume|--sample/.test(flags)),
    ],
    examples: [
      ["keywright repair", "what would be done?"],
      ["keywright repair --out plan.json", "the same, saved to be read and carried out later"],
      ["keywright repair --apply plan.json", "carry it out"],
      ["keywright repair --undo plan.json", "undo it"],
      ["keywright repair --delete unknown --apply", "also delete keys that no pattern owns"],
    ],
    load: () => import("./commands/repair.ts"),
  },
  {
    name: "purge",
    summary: "delete keys by pattern, age or use, after a preview",
    about:
      "Finds the keys that match every option given, and shows what would be deleted: nothing is written, and the exit code is 0. --apply deletes them with UNLINK, in batches. A record of an entity is deleted together with its index entries; keys that have changed since the plan was made are kept.",
    arguments: [{ name: "name...", about: "names of keys in the schema", optional: true }],
    needs: ["schema", "server"],
    options: [
      ...PLAN,
      { flags: "--unknown", about: "only keys that no pattern owns" },
      { flags: "--idle <duration>", about: "only keys that nobody has used for this long: 30d" },
      { flags: "--older <field=duration>", about: "only records whose field is older than this: createdAt=90d" },
      { flags: "--ttl <class>", about: "only keys without a TTL, or with one", choices: ["none", "some"] },
      { flags: "--keep-undo", about: "keep all deleted values in the plan, for --undo" },
      ...WALK.filter(({ flags }) => !/--resume|--sample/.test(flags)),
    ],
    examples: [
      ["keywright purge session --older createdAt=90d", "old sessions: what would be deleted?"],
      ["keywright purge --unknown --idle 30d --apply", "leftovers that nobody uses"],
    ],
    load: () => import("./commands/purge.ts"),
  },
  {
    name: "export",
    summary: "write keys as NDJSON, with types, deadlines and digests",
    about:
      "Writes one line per key: all types, bytes unchanged, absolute deadlines. A manifest comes first; counts and digests come last. With --out, the same call continues where an interrupted one stopped. Secrets are left out without --secrets.",
    needs: ["schema", "server"],
    address: true,
    options: [
      { flags: "-o, --out <file>", about: "write there instead of standard output" },
      { flags: "--only <name>", about: "only keys of this name in the schema; may be given several times", many: true },
      { flags: "--secrets", about: "include secrets" },
      RDB,
      ...WALK.filter(({ flags }) => !/--resume|--sample/.test(flags)),
    ],
    examples: [
      ["keywright export --out backup.ndjson --secrets", "everything"],
      ["keywright export --only cart | jq .", "one entity, to look at"],
      ["keywright export --rdb dump.rdb --out old.ndjson", "without a server"],
    ],
    load: () => import("./commands/export.ts"),
  },
  {
    name: "copy",
    summary: "copy all keys to another server or a cluster, while the source is in use",
    about:
      "Reads every key of the schema from one server and writes it to another, round by round, until little changes; then compares both sides by digests, pattern by pattern. With --pause, writers wait during the last round (CLIENT PAUSE WRITE), so that nothing is missing, and --then is run while they wait: the moment to switch programs to the other server. The schema may have another placement there: --to-tag puts all keys under a hash tag, --to-schema names the same schema with other patterns. The same call continues after a crash. The target becomes equal to the source; it has to be empty, unless --overwrite is given.",
    needs: ["schema"],
    options: [
      { flags: "--from <address>", about: "the server to copy from (default: KEYWRIGHT_FROM from the environment)" },
      { flags: "--to <address>", about: "the server, or any node of the cluster, to copy to (default: KEYWRIGHT_TO)" },
      { flags: "--to-tag <tag>", about: "put all keys under this hash tag: {acme}:cart:7" },
      { flags: "--to-schema <file>", about: "the same schema in its placement on the target: schema.ts#name" },
      { flags: "--pause <duration>", about: "make writers wait for up to this long at the end: 30s" },
      { flags: "--then <command>", about: "with --pause: run this while writers wait and both sides are equal" },
      { flags: "--rounds <n>", about: "at most n rounds before the last one (default: 20)", as: "count" },
      { flags: "--foreign", about: "also copy keys that no pattern owns, under their own names" },
      { flags: "--modules", about: "with --foreign: also values of modules, which only the module can read" },
      { flags: "--overwrite", about: "keys of the target may be replaced and deleted" },
      { flags: "--rate <n>", about: "at most n keys per second", as: "number" },
      TIMEOUT,
    ],
    examples: [
      ["keywright copy --from redis://old:6379 --to redis://node:7000 --to-tag main", "a first copy, to try it out"],
      ["keywright copy --from … --to … --to-tag main --pause 30s --then ./switch.sh", "and the switch"],
      ["keywright copy --from … --to … --json", "for programs"],
    ],
    load: () => import("./commands/copy.ts"),
  },
  {
    name: "import",
    summary: "load an export into a server, verify it, and rebuild indexes",
    about:
      "Checks the whole export first, then writes every key whole or not at all, reads it back, rebuilds indexes from the records and raises counters, which are never lowered. The same call continues after a crash. If several lines are about one key, the first counts; with --mode overwrite, the last. An export of another schema is imported with a warning, as far as this schema owns its keys.",
    arguments: [{ name: "file", about: "an export; - for standard input" }],
    needs: ["schema", "server"],
    options: [
      {
        flags: "--mode <mode>",
        about: "if a key exists with another value: import nothing (fail, the default), skip or overwrite it",
        choices: ["fail", "skip", "overwrite"],
      },
      {
        flags: "--left-out <how>",
        about: "keys whose secrets were left out (default: refuse)",
        choices: ["refuse", "skip"],
      },
      { flags: "--foreign", about: "also keys that the schema does not own, or declares with another type" },
      { flags: "--modules", about: "also values of modules, which only the module can read" },
      { flags: "--form <form>", about: "values as Spring's GenericJackson2Json writes them", choices: ["jackson"] },
      { flags: "--no-rebuild", about: "leave indexes and counters as they are" },
      TIMEOUT,
    ],
    examples: [
      ["keywright import backup.ndjson", "into an empty database"],
      ["keywright import carts.ndjson --mode overwrite", "replace keys that exist"],
    ],
    load: () => import("./commands/import.ts"),
  },
]
