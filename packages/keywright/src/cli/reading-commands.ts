/* The commands that read the keys of a server or of a file. */

import type { CliCommand, Option } from "./command.ts"
import { RDB } from "./rdb-file.ts"
import { WALK } from "./walk-options.ts"

const SHOWN: readonly Option[] = [
  { flags: "--db <n>", about: "the logical database, instead of the pattern's" },
  { flags: "--elements <n>", about: "how many elements to show (default: 100)", as: "count" },
  RDB,
  { flags: "--secrets", about: "show secrets, and values of keys that no pattern owns" },
]

export const readingCommands: readonly CliCommand[] = [
  {
    name: "audit",
    summary: "find where a server's data differs from the schema",
    about:
      "Looks at every key with SCAN: type, TTL, value, indexes both ways, mirrors, counters, references, invariants, keys that no pattern owns. Every finding is checked again before it is reported. Nothing is written. An RDB file is judged as of the time it was written. Without a schema, rules are inferred from the keys: exit 1 then means that the data contradicts itself, and findings cannot be repaired.",
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
      ["keywright audit --url redis://localhost:6379", "the whole server, with the schema of ./keywright.config.ts"],
      ["keywright audit redis://localhost:6379 --infer", "is the data consistent?"],
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
      ["keywright inspect cart:42", "which pattern owns it, and what is in it?"],
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
    about: "Finds them with SCAN. Given parameters narrow the search.",
    arguments: [
      { name: "name", about: "name of the key in the schema" },
      { name: "param=value...", about: "parameters that are known", optional: true },
    ],
    needs: ["schema", "server"],
    options: [{ flags: "--limit <n>", about: "list at most n keys (default: 1000)", as: "count" }, RDB],
    examples: [
      ["keywright ls cart", "all carts"],
      ["keywright ls people.status project=456", "those of one project"],
    ],
    load: () => import("./commands/ls.ts"),
  },
]
