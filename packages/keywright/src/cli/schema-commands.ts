/* The commands about schemas: checking, documenting, comparing and proposing them. */

import type { CliCommand } from "./command.ts"
import { RDB } from "./rdb-file.ts"
import { WALK } from "./walk-options.ts"

export const schemaCommands: readonly CliCommand[] = [
  {
    name: "check",
    summary: "find problems in a schema, or in a hand-written page",
    about:
      "Reads the schema alone: ambiguous patterns, undecided TTLs, undocumented keys, overlong keys, mixed separators, fields that look secret but are not marked, keyOf patterns that no key declares. With --cluster, also what connect would refuse on a cluster: entities, families, steps and invariants that are not in one slot. With --doc, compares a hand-written page with the schema: keys that no pattern owns, commands that contradict the declared type, names that are spelled two ways. With --doc and --url (or --rdb), compares page, schema and server, and says line by line which of the three is wrong. Without a schema, the one inferred from the server is used.",
    needs: ["schema"],
    options: [
      { flags: "--doc <page>", about: "a hand-written page, Markdown or text; may be given several times", many: true },
      { flags: "-u, --url <address>", about: "with --doc: the server that the page is about" },
      RDB,
      { flags: "--cluster", about: "also report what is not in one slot of a cluster" },
      {
        flags: "--accept-split <name>",
        about: "with --cluster: what connect accepts as split; may be given several times",
        many: true,
      },
      { flags: "--format <format>", about: "how findings are printed", choices: ["text", "sarif", "github"] },
    ],
    examples: [
      ["keywright check", "the schema of ./keywright.config.ts"],
      ["keywright check --cluster", "would connect accept it on a cluster?"],
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
      "Prints the page as Markdown, or writes it: --out makes <name>.md and <name>.html in a folder, --into replaces the part of a file between <!-- keywright:begin --> and <!-- keywright:end -->. --check writes nothing and fails if the files are out of date. Without a schema, the page shows what is inferred from a server or a file.",
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
      ["keywright docs --changelog > SCHEMA-CHANGES.md", "how the schema changed, from the Git history"],
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
          "exit 1 unless new readers can read existing data (backward), old readers can read future data (forward), or all programs keep working (full)",
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
]
