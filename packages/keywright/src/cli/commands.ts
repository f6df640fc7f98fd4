/* Every command: data, and where its handler is. Only the one that is called is loaded. */

import type { CliCommand, Option } from "./command.ts"
import { PLAN } from "./plan-options.ts"
import { RDB } from "./rdb-file.ts"
import { TIMEOUT, WALK } from "./walk-options.ts"

const SHOWN: readonly Option[] = [
  { flags: "--db <n>", about: "the logical database, instead of the pattern's" },
  { flags: "--elements <n>", about: "how many elements to show (default: 100)", as: "count" },
  RDB,
  { flags: "--secrets", about: "show secrets, and values of keys that no pattern owns" },
]

export const commands: readonly CliCommand[] = [
  {
    name: "check",
    summary: "look for weak spots in a schema, or in a hand-written page",
    about:
      "Reads the schema alone: ambiguous patterns, undecided TTLs, undocumented keys, overlong keys, mixed separators, fields that look secret but are not marked, keyOf patterns that no key declares. With --cluster, also what connect would refuse on a cluster: entities, families, steps and invariants that are not in one slot. With --doc, compares a hand-written page with the schema: keys that no pattern owns, commands that contradict the declared type, names that are spelled two ways. With --doc and --url (or --rdb), compares page, schema and server, and says line by line which of the three is wrong. Without a schema, the one inferred from the server is used.",
    needs: ["schema"],
    options: [
      { flags: "--doc <page>", about: "a hand-written page, Markdown or text; may be given several times", many: true },
      { flags: "-u, --url <address>", about: "with --doc: the server that the page is about" },
      RDB,
      { flags: "--cluster", about: "also say what is not in one slot of a cluster" },
      {
        flags: "--accept-split <name>",
        about: "with --cluster: what connect accepts as split; may be given several times",
        many: true,
      },
      { flags: "--format <format>", about: "how findings are printed", choices: ["text", "sarif", "github"] },
    ],
    examples: [
      ["keywright check", "the schema of ./keywright.config.ts"],
      ["keywright check --cluster", "would connect take it on a cluster?"],
      ["keywright check --config systems/shop", "the schema of another folder"],
      ["keywright check --doc docs/redis.md", "is that page still true?"],
      ["keywright check --doc docs/redis.md --url redis://…", "page, schema and server: which is wrong?"],
      ["keywright check --format github", "annotations for a pull request"],
    ],
    load: () => import("./commands/check.ts"),
  },
  {
    name: "docs",
    summary: "write the schema page, as Markdown and as one HTML file",
    about:
      "Prints the page as Markdown, or writes it: --out makes <name>.md and <name>.html in a folder, --into replaces the part of a file between <!-- keywright:begin --> and <!-- keywright:end -->. --check writes nothing and fails when what is there is out of date. Without a schema, the page of what is inferred from a server or a file.",
    needs: ["schema", "server"],
    address: true,
    options: [
      RDB,
      { flags: "-o, --out <folder>", about: "write <name>.md and <name>.html there" },
      { flags: "--into <file>", about: "replace the part between the markers of this file" },
      { flags: "--check", about: "only compare: exit 1 when out of date" },
      { flags: "--changelog", about: "print what changed in the schema, commit by commit, from git" },
      {
        flags: "--format <format>",
        about: "what is printed without --out",
        choices: ["markdown", "html", "mermaid", "svg"],
      },
    ],
    examples: [
      ["keywright docs --out docs", "docs/shop.md and docs/shop.html"],
      ["keywright docs --into README.md", "update the page inside a README"],
      ["keywright docs redis://localhost:6379 > redis.md", "of a server that nobody documented"],
      ["keywright docs --out docs --check", "in CI: are the committed pages current?"],
      ["keywright docs --format svg > entities.svg", "the diagram alone"],
      ["keywright docs --changelog > SCHEMA-CHANGES.md", "how the schema changed, from the history of git"],
    ],
    load: () => import("./commands/docs.ts"),
  },
  {
    name: "diff",
    summary: "say what a schema change breaks, and in which order to deploy it",
    about:
      "Compares two schemas: files, config folders, git revisions (git:HEAD~1:schema.ts, or HEAD~1:schema.ts), JSON forms, or a server (what keywright record stored there, or else what is inferred from it). Every change has a stable code, a verdict for old and new readers and writers, what has to happen to the data, and the order of deployment that makes it safe. With --url or --rdb, it also says how many keys are concerned and whether they already fit. Exit 1 when a change is at or above --fail-on.",
    arguments: [
      { name: "old", about: "the schema as it was (default: the last commit's)", optional: true },
      { name: "new", about: "the schema as it will be (default: that of the config)", optional: true },
    ],
    needs: ["schema"],
    options: [
      {
        flags: "--fail-on <level>",
        about: "exit 1 at this level or above (default: data)",
        choices: ["harmless", "data", "breaks-readers", "breaks-writers", "silent", "never"],
      },
      {
        flags: "--compatible <way>",
        about:
          "exit 1 unless new readers can read what is there (backward), old ones what will be (forward), or all programs keep working (full)",
        choices: ["backward", "forward", "full"],
      },
      {
        flags: "--rename <old=new>",
        about: "an entry or a field that was renamed; may be given several times",
        many: true,
      },
      { flags: "-u, --url <address>", about: "a server with the data that would be affected" },
      RDB,
      { flags: "--rate <n>", about: "with --url: at most n keys per second", as: "number" },
      {
        flags: "--format <format>",
        about: "how changes are printed",
        choices: ["text", "markdown", "sarif", "github"],
      },
    ],
    examples: [
      ["keywright diff", "uncommitted changes against the last commit"],
      ["keywright diff main:schema.ts schema.ts", "this branch against main"],
      ["keywright diff git:origin/main --format markdown", "a comment for a pull request"],
      ["keywright diff old.json schema.ts --json", "for programs"],
      ["keywright diff HEAD~1 --url redis://…", "with the number of keys that each change concerns"],
      ["keywright diff redis://… schema.ts", "the schema recorded on the server against this one"],
    ],
    load: () => import("./commands/diff.ts"),
  },
  {
    name: "record",
    summary: "store the schema's JSON form on a server, for diff to compare with",
    about:
      "Stores the schema under keywright:schema:<name>, so that diff knows which schema the data on this server follows. Run it after each deployment.",
    needs: ["schema", "server"],
    examples: [["keywright record --url redis://…", "from then on: keywright diff redis://… schema.ts"]],
    load: () => import("./commands/record.ts"),
  },
  {
    name: "infer",
    summary: "propose a schema for a server that nobody documented",
    about:
      "Reads every key with SCAN, samples values, and proposes a schema.ts: patterns, types, TTLs, documents, ids, entities with their indexes, families, likely secrets. Keys that it cannot explain are listed on standard error. It reads every logical database that has keys. With --against, it shows what an existing schema lacks. Nothing is written to the server.",
    arguments: [{ name: "source", about: "redis://…, or an RDB file", optional: true }],
    needs: ["server"],
    options: [
      { flags: "-o, --out <file>", about: "write the proposal there instead of standard output" },
      { flags: "--rdb <file>", about: "an RDB file instead of a server" },
      { flags: "--against <schema>", about: "schema.ts, .json, or the folder of a config: show what it lacks" },
      { flags: "--library <name>", about: "the library that checks documents", choices: ["zod", "valibot", "arktype"] },
      { flags: "--format <format>", about: "TypeScript, or the JSON form", choices: ["ts", "json"] },
      { flags: "--name <name>", about: "name of the keyspace" },
      ...WALK.filter(({ flags }) => !flags.startsWith("--resume")),
    ],
    examples: [
      ["keywright infer redis://localhost:6379 --out schema.ts", "from a server to a schema"],
      ["keywright infer dump.rdb", "without touching the server"],
      ["keywright infer --against schema.ts", "what does the schema lack?"],
      ["keywright infer --sample 0.1 --rate 20000", "some of the keys, slowly"],
    ],
    load: () => import("./commands/infer.ts"),
  },
  {
    name: "init",
    summary: "write schema.ts and keywright.config.ts for a server",
    about:
      "Asks for the address if none is given, infers a schema, and writes the two files that all other commands work from.",
    arguments: [{ name: "source", about: "redis://…, or an RDB file", optional: true }],
    needs: ["server"],
    options: [
      { flags: "--library <name>", about: "the library that checks documents", choices: ["zod", "valibot", "arktype"] },
      { flags: "--name <name>", about: "name of the keyspace" },
    ],
    examples: [["keywright init redis://localhost:6379", "then: keywright audit, keywright docs, …"]],
    load: () => import("./commands/init.ts"),
  },
  {
    name: "audit",
    summary: "find where a server's data is not as the schema says",
    about:
      "Looks at every key with SCAN: type, TTL, value, indexes both ways, mirrors, counters, references, invariants, keys that no pattern owns. Every finding is checked again before it is reported. Nothing is written. An RDB file is judged as of the time it was written. Without a schema, rules are inferred from the keys: exit 1 then means that the data contradicts itself, and nothing that is found can be repaired.",
    needs: ["schema", "server"],
    address: true,
    options: [
      ...WALK,
      RDB,
      { flags: "--limit <n>", about: "keep at most n findings; all are counted (default: 100000)", as: "count" },
      { flags: "--show <n>", about: "how many patterns of each kind to show (default: 5)", as: "count" },
      { flags: "--format <format>", about: "how findings are printed", choices: ["text", "sarif", "github"] },
    ],
    examples: [
      ["keywright audit --url redis://localhost:6379", "the whole server, by the schema of ./keywright.config.ts"],
      ["keywright audit redis://localhost:6379 --infer", "does the data agree with itself?"],
      ["keywright audit --match 'cart:*' --rate 10000", "some of the keys, slowly"],
      ["keywright audit --json | jq .summary", "how many of each kind"],
      ["keywright audit --rdb dump.rdb", "last night's backup, without a server"],
      ["keywright audit --format sarif > audit.sarif", "for a code host, at the lines of the schema"],
    ],
    load: () => import("./commands/audit.ts"),
  },
  {
    name: "stats",
    summary: "count keys, memory and TTLs by pattern",
    about:
      "Reads every key with SCAN, and counts keys, bytes, TTLs and the biggest keys of each pattern. Without a schema, the patterns are inferred from the keys first.",
    needs: ["schema", "server"],
    address: true,
    options: [
      ...WALK,
      RDB,
      { flags: "--top <n>", about: "how many of the biggest keys to name (default: 5)", as: "count" },
      { flags: "--all", about: "include patterns without keys" },
    ],
    examples: [
      ["keywright stats redis://localhost:6379", "what takes up the memory?"],
      ["keywright stats --sample 0.01", "from a hundredth of the keys"],
      ["keywright stats --rdb dump.rdb", "without touching the server"],
    ],
    load: () => import("./commands/stats.ts"),
  },
  {
    name: "inspect",
    summary: "show one key as the schema sees it",
    about:
      "Shows its pattern, parameters, type, TTL, memory, encoding, decoded value and relations. Secrets are hidden without --secrets, and so are values of keys that no pattern owns. Exit 1 when there is no such key.",
    arguments: [{ name: "key", about: "the key as it is on the server" }],
    needs: ["schema", "server"],
    address: true,
    options: SHOWN,
    examples: [
      ["keywright inspect cart:42", "whose is it, and what is in it?"],
      ["keywright inspect redis://localhost:6379 cart:42", "without a schema"],
    ],
    load: () => import("./commands/inspect.ts"),
  },
  {
    name: "get",
    summary: "show one key by its name in the schema",
    about: "Builds the key from its name and parameters, and shows it as inspect does.",
    arguments: [
      { name: "name", about: "name of the key in the schema" },
      { name: "param=value...", about: "its parameters", optional: true },
    ],
    needs: ["schema", "server"],
    options: SHOWN,
    examples: [["keywright get cart id=42", "the record cart:42"]],
    load: () => import("./commands/get.ts"),
  },
  {
    name: "ls",
    summary: "list the keys of a pattern",
    about: "Finds them with SCAN. Parameters that are given narrow the search.",
    arguments: [
      { name: "name", about: "name of the key in the schema" },
      { name: "param=value...", about: "parameters that are known", optional: true },
    ],
    needs: ["schema", "server"],
    options: [{ flags: "--limit <n>", about: "list at most n keys (default: 1000)", as: "count" }, RDB],
    examples: [
      ["keywright ls cart", "all carts"],
      ["keywright ls service.status project=456", "those of one project"],
    ],
    load: () => import("./commands/ls.ts"),
  },
  {
    name: "repair",
    summary: "plan, review and carry out repairs of what audit finds",
    about:
      "Audits, and shows a plan that repairs the findings: exit 1 when there are some. Nothing is written without --apply, and no file without --out. --apply carries the plan out while the server is in use: every action checks in the same step that what it relies on is still so. Entities are the truth; what is not derived is deleted only with --delete. The same --apply continues after a crash, and --undo reverts it.",
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
      "Finds the keys that match every option given, and shows what would be deleted: nothing is written, and the exit code is 0. --apply deletes them with UNLINK, in batches. A record of an entity is deleted together with its index entries; what has changed since the plan was made is spared.",
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
      "Reads every key of the schema from one server and writes it to another, round by round, until little changes; then compares both sides by digests, pattern by pattern. With --pause, writers wait during the last round (CLIENT PAUSE WRITE), so that nothing is missing, and --then is run while they wait: the moment to lead programs to the other server. The schema may have another placement there: --to-tag puts all keys under a hash tag, --to-schema names the same schema with other patterns. The same call continues after a crash. The target becomes what the source is; it has to be empty, or --overwrite.",
    needs: ["schema"],
    options: [
      { flags: "--from <address>", about: "the server to copy from" },
      { flags: "--to <address>", about: "the server, or any node of the cluster, to copy to" },
      { flags: "--to-tag <tag>", about: "put all keys under this hash tag: {acme}:cart:7" },
      { flags: "--to-schema <file>", about: "the same schema in its placement on the target: schema.ts#name" },
      { flags: "--pause <duration>", about: "let writers wait for up to this long at the end: 30s" },
      { flags: "--then <command>", about: "with --pause: run this while they wait and both sides are equal" },
      { flags: "--rounds <n>", about: "at most n rounds before the last one (default: 20)", as: "count" },
      { flags: "--foreign", about: "also copy keys that no pattern owns, under their names" },
      { flags: "--overwrite", about: "what the target has may be replaced and deleted" },
      { flags: "--rate <n>", about: "at most n keys per second", as: "number" },
      TIMEOUT,
    ],
    examples: [
      ["keywright copy --from redis://old:6379 --to redis://node:7000 --to-tag main", "a first copy, to look at"],
      ["keywright copy --from … --to … --to-tag main --pause 30s --then ./switch.sh", "and the switch"],
      ["keywright copy --from … --to … --json", "for programs"],
    ],
    load: () => import("./commands/copy.ts"),
  },
  {
    name: "import",
    summary: "load an export into a server, verify it, and rebuild indexes",
    about:
      "Checks the whole export first, then writes every key whole or not at all, reads it back, rebuilds indexes from the records and raises counters, which are never lowered. The same call continues after a crash.",
    arguments: [{ name: "file", about: "an export; - for standard input" }],
    needs: ["schema", "server"],
    options: [
      {
        flags: "--mode <mode>",
        about: "where a key exists with another value: import nothing (fail, the default), skip or overwrite it",
        choices: ["fail", "skip", "overwrite"],
      },
      {
        flags: "--left-out <how>",
        about: "keys whose secrets were left out (default: refuse)",
        choices: ["refuse", "skip"],
      },
      { flags: "--foreign", about: "also keys that the schema does not own, or declares with another type" },
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
  {
    name: "doctor",
    summary: "find server settings that endanger the data",
    about:
      "Reads version, memory, eviction policy, persistence, replicas, security, slow log and latency of a server, and says what each means for the keys of this schema. Writes nothing.",
    needs: ["schema", "server"],
    address: true,
    options: [],
    examples: [
      ["keywright doctor --url redis://localhost:6379", "the server, seen from ./keywright.config.ts"],
      ["keywright doctor --json | jq .findings", "for programs"],
    ],
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "top",
    summary: "show commands per second by pattern, live",
    about:
      "Calls per second come from INFO commandstats, which costs nothing and counts everything. Which pattern they touch is sampled with MONITOR on a connection of its own, for a part of each interval only: MONITOR slows a busy server down. The share that was sampled is shown; keys and values are never printed.",
    needs: ["schema", "server"],
    address: true,
    options: [
      { flags: "--interval <seconds>", about: "time between two updates (default: 1)", as: "number" },
      {
        flags: "--sample <share>",
        about: "the part of each interval during which MONITOR runs (default: 0.2; 1: all the time)",
        as: "share",
      },
      { flags: "--count <n>", about: "stop after n updates", as: "count" },
      { flags: "--limit <n>", about: "how many rows to show (default: as many as fit)", as: "count" },
    ],
    examples: [
      ["keywright top --url redis://localhost:6379", "until Ctrl-C"],
      ["keywright top --json --count 60 > minute.ndjson", "one minute, one line per second"],
    ],
    load: () => import("./commands/top.ts"),
  },
  {
    name: "studio",
    summary: "open a local web page: counts, keys, values, schema, audit, live commands",
    about:
      "Serves a web page for this machine only and prints its link: `studio http://127.0.0.1:…`. The link works once. The page is read-only without --write; secrets are hidden until they are revealed one by one. Without a schema, one is inferred from the keys first and kept in memory; the page can save it as schema.ts.",
    needs: ["schema", "server"],
    address: true,
    options: [
      {
        flags: "-c, --config <path>",
        about: "keywright.config.ts or its folder (default: this folder); several for several systems",
        many: true,
      },
      {
        flags: "-u, --url <address>",
        about:
          "redis://…, rediss://…, unix://… (default: REDIS_URL, then the config's url); one for each --config, or one for all",
        many: true,
      },
      {
        flags: "--against <schema>",
        about:
          "another version of the schema, for the view of what changed: a file, a revision of git, a JSON form, or a server; one for each --config, or one for all",
        many: true,
      },
      { flags: "--port <n>", about: "port of the page (default: any free one)", as: "count" },
      { flags: "--write", about: "allow edits and repairs, each confirmed" },
      { flags: "--no-reveal", about: "never show secrets, not even on request" },
      { flags: "--open", about: "open the page in the browser" },
      ...WALK.filter(({ flags }) => /--sample|--rate/.test(flags)).map((option) => ({
        ...option,
        about: `while a schema is inferred: ${option.about}`,
      })),
    ],
    examples: [
      [
        "keywright studio redis://localhost:6379",
        "any server; by the schema of ./keywright.config.ts where there is one",
      ],
      ["keywright studio --config shop --config orders --open", "two systems, on the servers that their configs name"],
      ["keywright studio --against HEAD", "with what changed in the schema since the last commit"],
      ["keywright studio --write --port 4000", "with edits allowed, on a fixed port"],
    ],
    load: () => import("./commands/studio.ts"),
  },
  {
    name: "backup",
    summary: "make the server write a snapshot, and wait until it is done",
    about: "Sends BGSAVE and waits until LASTSAVE changes. A server that cannot fork (the embedded engine) gets SAVE.",
    needs: ["server"],
    options: [{ flags: "--timeout <seconds>", about: "give up waiting after this time (default: 3600)", as: "number" }],
    examples: [["keywright backup --url redis://localhost:6379", "exit 0 when the snapshot is on disk"]],
    load: () => import("./commands/backup.ts"),
  },
  {
    name: "completion",
    summary: "print a shell script that completes commands and options",
    about: "Prints a script for bash, zsh or fish.",
    arguments: [{ name: "shell", about: "bash, zsh or fish" }],
    needs: [],
    examples: [
      ["source <(keywright completion bash)", "in ~/.bashrc"],
      ["source <(keywright completion zsh)", "in ~/.zshrc"],
      ["keywright completion fish > ~/.config/fish/completions/keywright.fish", "once"],
    ],
    load: () => import("./commands/completion.ts"),
  },
]
