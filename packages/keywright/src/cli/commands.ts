/* Every command: data, and where its handler is. Only the one that is called is loaded. */

import type { Command, Option } from "./command.ts"
import { PLAN } from "./plan-options.ts"
import { RDB } from "./rdb-file.ts"
import { TIMEOUT, WALK } from "./walk-options.ts"

const SHOWN: readonly Option[] = [
  { flags: "--db <n>", about: "the logical database, instead of the pattern's" },
  { flags: "--elements <n>", about: "how many elements to show (default: 100)", as: "count" },
  RDB,
  { flags: "--secrets", about: "show secrets too" },
]

export const commands: readonly Command[] = [
  {
    name: "check",
    summary: "look for weak spots in a schema, or in a hand-written page",
    about:
      "Reads the schema alone: ambiguous patterns, undecided TTLs, undocumented keys, overlong keys, mixed separators, secrets that look unmarked, keyOf patterns that no key declares; and which entities and families a cluster can change as one. With --doc, a hand-written page against the schema: keys that no pattern owns, commands that contradict the declared type, what is spelled two ways. With --doc and --url (or --rdb), page, schema and server against one another: line by line, which of the three is wrong. Without a schema, what is inferred from the server takes its place.",
    needs: ["schema"],
    options: [
      { flags: "--doc <page>", about: "a hand-written page, Markdown or text; may be given several times", many: true },
      { flags: "-u, --url <address>", about: "with --doc: the server that the page is about" },
      RDB,
      { flags: "--format <format>", about: "how findings are printed", choices: ["text", "sarif", "github"] },
    ],
    examples: [
      ["keywright check", "the schema of ./keywright.config.ts"],
      ["keywright check --config systems/shop", "of another folder"],
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
      ["keywright docs --into README.md", "the page inside of a README"],
      ["keywright docs redis://localhost:6379 > redis.md", "of a server that nobody documented"],
      ["keywright docs --out docs --check", "in CI: are the committed pages current?"],
      ["keywright docs --format svg > entities.svg", "the diagram alone"],
      ["keywright docs --changelog > SCHEMA-CHANGES.md", "what became of the schema, from the history of git"],
    ],
    load: () => import("./commands/docs.ts"),
  },
  {
    name: "diff",
    summary: "say what a change of the schema breaks, and in which order to deploy it",
    about:
      "Compares two schemas: files, folders of a config, revisions of git (git:HEAD~1:schema.ts, or HEAD~1:schema.ts), JSON forms, or a server (what keywright record stored there; else what is inferred). Every change has a stable code, a verdict for old and new readers and writers, what has to happen to the data, and the order of deployment that makes it safe. With --url or --rdb, how many keys it concerns and whether they already fit. Exit 1 when a change is at or above --fail-on.",
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
        about: "what had another name, an entry or a field; may be given several times",
        many: true,
      },
      { flags: "-u, --url <address>", about: "a server with the data that the change is about" },
      RDB,
      { flags: "--rate <n>", about: "with --url: at most n keys per second", as: "number" },
      {
        flags: "--format <format>",
        about: "how changes are printed",
        choices: ["text", "markdown", "sarif", "github"],
      },
    ],
    examples: [
      ["keywright diff", "what is not committed yet, against the last commit"],
      ["keywright diff main:schema.ts schema.ts", "this branch against main"],
      ["keywright diff git:origin/main --format markdown", "the comment of a pull request"],
      ["keywright diff old.json schema.ts --json", "for programs"],
      ["keywright diff HEAD~1 --url redis://…", "with the number of keys that each change concerns"],
      ["keywright diff redis://… schema.ts", "what the server was recorded with, against the schema"],
    ],
    load: () => import("./commands/diff.ts"),
  },
  {
    name: "record",
    summary: "store the schema's JSON form on a server, for diff to compare with",
    about: "SET keywright:schema:<name>: which schema the data on this server is of. Run it when a deployment is done.",
    needs: ["schema", "server"],
    examples: [["keywright record --url redis://…", "from then on: keywright diff redis://… schema.ts"]],
    load: () => import("./commands/record.ts"),
  },
  {
    name: "infer",
    summary: "propose a schema for a server that nobody documented",
    about:
      "Reads every key with SCAN, samples values, and proposes a schema.ts: patterns, types, TTLs, documents, ids, entities with their indexes, families, likely secrets. What it could not explain is listed on standard error. Of a server with several logical databases, all that have keys. With --against, what an existing schema lacks. Writes nothing.",
    arguments: [{ name: "source", about: "redis://…, or an RDB file", optional: true }],
    needs: ["server"],
    options: [
      { flags: "-o, --out <file>", about: "write the proposal there instead of standard output" },
      { flags: "--rdb <file>", about: "an RDB file instead of a server" },
      { flags: "--against <schema>", about: "schema.ts, .json, or the folder of a config: show what it lacks" },
      { flags: "--library <name>", about: "what documents are checked with", choices: ["zod", "valibot", "arktype"] },
      { flags: "--format <format>", about: "TypeScript, or the JSON form", choices: ["ts", "json"] },
      { flags: "--name <name>", about: "of the keyspace" },
      ...WALK.filter(({ flags }) => !flags.startsWith("--resume")),
    ],
    examples: [
      ["keywright infer redis://localhost:6379 --out schema.ts", "from a server to a schema"],
      ["keywright infer dump.rdb", "without touching the server"],
      ["keywright infer --against schema.ts", "what does the schema lack?"],
      ["keywright infer --sample 0.1 --rate 20000", "a part, gently"],
    ],
    load: () => import("./commands/infer.ts"),
  },
  {
    name: "init",
    summary: "write schema.ts and keywright.config.ts for a server",
    about:
      "Asks for the address, if none is given, does what infer does, and writes the two files that all other commands start from.",
    arguments: [{ name: "source", about: "redis://…, or an RDB file", optional: true }],
    needs: ["server"],
    options: [
      { flags: "--library <name>", about: "what documents are checked with", choices: ["zod", "valibot", "arktype"] },
      { flags: "--name <name>", about: "of the keyspace" },
    ],
    examples: [["keywright init redis://localhost:6379", "then: keywright audit, keywright docs, …"]],
    load: () => import("./commands/init.ts"),
  },
  {
    name: "audit",
    summary: "find where a server's data is not as the schema says",
    about:
      "Looks at every key with SCAN: type, TTL, value, indexes both ways, mirrors, counters, references, invariants, keys that no pattern owns. Every finding is read twice before it is reported. Writes nothing. An RDB file is looked at as of the time when it was written. Without a schema, by rules that are inferred from the keys: then exit 1 means that the data contradicts itself, and nothing that is found can be repaired.",
    needs: ["schema", "server"],
    address: true,
    options: [
      ...WALK,
      RDB,
      { flags: "--limit <n>", about: "most findings to keep; all are counted (default: 100000)", as: "count" },
      { flags: "--show <n>", about: "how many patterns of each kind to show (default: 5)", as: "count" },
      { flags: "--format <format>", about: "how findings are printed", choices: ["text", "sarif", "github"] },
    ],
    examples: [
      ["keywright audit --url redis://localhost:6379", "the whole server, by the schema of ./keywright.config.ts"],
      ["keywright audit redis://localhost:6379 --infer", "does the data agree with itself?"],
      ["keywright audit --match 'cart:*' --rate 10000", "a part, gently"],
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
      "One walk with SCAN: keys, bytes, TTLs and the biggest keys of each pattern. Without a schema, the patterns are inferred from the keys first.",
    needs: ["schema", "server"],
    address: true,
    options: [
      ...WALK,
      RDB,
      { flags: "--top <n>", about: "how many of the biggest keys to name (default: 5)", as: "count" },
      { flags: "--all", about: "patterns without keys too" },
    ],
    examples: [
      ["keywright stats redis://localhost:6379", "what takes the room?"],
      ["keywright stats --sample 0.01", "of a hundredth of the keys"],
      ["keywright stats --rdb dump.rdb", "without touching the server"],
    ],
    load: () => import("./commands/stats.ts"),
  },
  {
    name: "inspect",
    summary: "show one key as the schema sees it",
    about:
      "Pattern, parameters, type, TTL, memory, encoding, decoded value, relations. Secrets are hidden unless asked for.",
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
    arguments: [
      { name: "name", about: "of the key in the schema" },
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
    arguments: [
      { name: "name", about: "of the key in the schema" },
      { name: "param=value...", about: "parameters that are known", optional: true },
    ],
    needs: ["schema", "server"],
    options: [{ flags: "--limit <n>", about: "most keys to list (default: 1000)", as: "count" }, RDB],
    examples: [
      ["keywright ls cart", "all carts"],
      ["keywright ls service.status project=456", "of one project"],
    ],
    load: () => import("./commands/ls.ts"),
  },
  {
    name: "repair",
    summary: "repair what the audit finds, by a plan first",
    about:
      "Audits, makes a plan that repairs the findings, shows and saves it; --apply carries it out while the server is in use: every action compares what it rests on in the same step. Entities are the truth; what is not derived is deleted only with --delete. The same --apply continues after a crash, and --undo reverts it.",
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
      ["keywright repair --out plan.json", "the same, saved under a name"],
      ["keywright repair --apply plan.json", "carry it out"],
      ["keywright repair --undo plan.json", "take it back"],
      ["keywright repair --delete unknown --apply", "keys that no pattern owns go, too"],
    ],
    load: () => import("./commands/repair.ts"),
  },
  {
    name: "purge",
    summary: "delete keys by pattern, age or use, by a plan first",
    about:
      "Finds the keys that are meant, shows and saves a plan; --apply carries it out with UNLINK, in batches. A record of an entity goes together with its index entries; what has changed since the plan was made is spared.",
    arguments: [{ name: "name...", about: "of keys in the schema", optional: true }],
    needs: ["schema", "server"],
    options: [
      ...PLAN,
      { flags: "--unknown", about: "only keys that no pattern owns" },
      { flags: "--idle <duration>", about: "only keys that nobody has used for this long: 30d" },
      { flags: "--older <field=duration>", about: "only records whose field is longer ago: createdAt=90d" },
      { flags: "--ttl <class>", about: "only keys without a TTL, or with one", choices: ["none", "some"] },
      { flags: "--keep-undo", about: "keep all deleted values in the plan, for --undo" },
      ...WALK.filter(({ flags }) => !/--resume|--sample/.test(flags)),
    ],
    examples: [
      ["keywright purge session --older createdAt=90d", "old sessions: what would go?"],
      ["keywright purge --unknown --idle 30d --apply", "leftovers that nobody uses"],
    ],
    load: () => import("./commands/purge.ts"),
  },
  {
    name: "export",
    summary: "write keys as NDJSON, with types, deadlines and digests",
    about:
      "Every key on a line, all types, bytes as they are, absolute deadlines; a manifest before and counts and digests after them. To a file, the same call continues where an interrupted one stopped. Secrets are left out unless asked for.",
    needs: ["schema", "server"],
    address: true,
    options: [
      { flags: "-o, --out <file>", about: "write there instead of standard output" },
      { flags: "--only <name>", about: "only keys of this name in the schema; may be given several times", many: true },
      { flags: "--secrets", about: "secrets too" },
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
    name: "import",
    summary: "write an export into a server, checked, then rebuild indexes",
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
      ["keywright import carts.ndjson --mode overwrite", "over what is there"],
    ],
    load: () => import("./commands/import.ts"),
  },
  {
    name: "doctor",
    summary: "find which settings of this server endanger the data",
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
      "Calls per second come from INFO commandstats, which costs nothing and counts everything. Which pattern they touch is sampled with MONITOR on a connection of its own, for a part of each interval only: MONITOR slows a busy server down. It says which share it saw; keys and values are never printed.",
    needs: ["schema", "server"],
    address: true,
    options: [
      { flags: "--interval <seconds>", about: "between two pictures (default: 1)", as: "number" },
      {
        flags: "--sample <share>",
        about: "the part of each interval that MONITOR runs (default: 0.2; 1: all the time)",
        as: "share",
      },
      { flags: "--count <n>", about: "stop after this many pictures", as: "count" },
      { flags: "--limit <n>", about: "rows to show (default: as the terminal has room)", as: "count" },
    ],
    examples: [
      ["keywright top --url redis://localhost:6379", "until Ctrl-C"],
      ["keywright top --json --count 60 > minute.ndjson", "a minute of it, one line a second"],
    ],
    load: () => import("./commands/top.ts"),
  },
  {
    name: "studio",
    summary: "look at servers in a web page: counts, keys, values, schema, audit, live commands",
    about:
      "Starts a page for this machine only and prints the link to it: `studio http://127.0.0.1:…`. The link works once. It is read-only unless it is started with --write; secrets are hidden until they are asked for one by one. Without a schema it infers one from the keys first and keeps it in memory; the page saves it as schema.ts when somebody likes it.",
    needs: ["schema", "server"],
    address: true,
    options: [
      {
        flags: "-c, --config <path>",
        about: "folder of, or path to, keywright.config.ts (default: here); several for several systems",
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
      { flags: "--port <n>", about: "where the page is (default: one that is free)", as: "count" },
      { flags: "--write", about: "allow edits and repairs, each confirmed" },
      { flags: "--no-reveal", about: "never show secrets, not even on request" },
      { flags: "--open", about: "open the page in the browser" },
      ...WALK.filter(({ flags }) => /--sample|--rate/.test(flags)).map((option) => ({
        ...option,
        about: `${option.about}; while a schema is inferred`,
      })),
    ],
    examples: [
      [
        "keywright studio redis://localhost:6379",
        "any server; by the schema of ./keywright.config.ts where there is one",
      ],
      ["keywright studio --config shop --config orders --open", "two systems, on the servers that their configs name"],
      ["keywright studio --against HEAD", "with what changed in the schema since the last commit"],
      ["keywright studio --write --port 4000", "with edits, at a port of your choice"],
    ],
    load: () => import("./commands/studio.ts"),
  },
  {
    name: "backup",
    summary: "make the server write its snapshot, and wait for its end",
    about: "BGSAVE, watched until LASTSAVE moves. On a server that cannot fork (the embedded engine), SAVE.",
    needs: ["server"],
    options: [{ flags: "--timeout <seconds>", about: "give up waiting after this time (default: 3600)", as: "number" }],
    examples: [["keywright backup --url redis://localhost:6379", "exit 0 when the snapshot is on disk"]],
    load: () => import("./commands/backup.ts"),
  },
  {
    name: "completion",
    summary: "print a script that completes commands and options in a shell",
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
