/* Every command: data, and where its handler is. Only the one that is called is loaded. */

import type { Command } from "./command.ts"

export const commands: readonly Command[] = [
  {
    name: "check",
    summary: "look for weak spots in a schema, or in a hand-written page",
    about:
      "Reads the schema alone: ambiguous patterns, undecided TTLs, undocumented keys, overlong keys, mixed separators, secrets that look unmarked, keyOf patterns that no key declares. With --doc, a hand-written page against the schema: keys that no pattern owns, commands that contradict the declared type, what is spelled two ways.",
    needs: ["schema"],
    options: [
      { flags: "--doc <page>", about: "a hand-written page, Markdown or text; may be given several times", many: true },
      { flags: "--format <format>", about: "how findings are printed", choices: ["text", "sarif", "github"] },
    ],
    examples: [
      ["keywright check", "the schema of ./keywright.config.ts"],
      ["keywright check --config systems/shop", "of another folder"],
      ["keywright check --doc docs/redis.md", "is that page still true?"],
      ["keywright check --format github", "annotations for a pull request"],
    ],
    load: () => import("./commands/check.ts"),
  },
  {
    name: "docs",
    summary: "write the schema page, as Markdown and as one HTML file",
    about:
      "Prints the page as Markdown, or writes it: --out makes <name>.md and <name>.html in a folder, --into replaces the part of a file between <!-- keywright:begin --> and <!-- keywright:end -->. --check writes nothing and fails when what is there is out of date.",
    needs: ["schema"],
    options: [
      { flags: "-o, --out <folder>", about: "write <name>.md and <name>.html there" },
      { flags: "--into <file>", about: "replace the part between the markers of this file" },
      { flags: "--check", about: "only compare: exit 1 when out of date" },
      {
        flags: "--format <format>",
        about: "what is printed without --out",
        choices: ["markdown", "html", "mermaid", "svg"],
      },
    ],
    examples: [
      ["keywright docs --out docs", "docs/shop.md and docs/shop.html"],
      ["keywright docs --into README.md", "the page inside of a README"],
      ["keywright docs --out docs --check", "in CI: are the committed pages current?"],
      ["keywright docs --format svg > entities.svg", "the diagram alone"],
    ],
    load: () => import("./commands/docs.ts"),
  },
  {
    name: "doctor",
    summary: "say what this server's settings endanger",
    about:
      "Reads version, memory, eviction policy, persistence, replicas, security, slow log and latency of a server, and says what each means for the keys of this schema. Writes nothing.",
    needs: ["schema", "server"],
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
      "Calls per second come from INFO commandstats, which costs nothing and counts everything. Which pattern they touch is sampled with MONITOR on a connection of its own, for a part of each interval only: MONITOR slows a busy server down. The share that was seen is said; keys and values are never printed.",
    needs: ["schema", "server"],
    options: [
      { flags: "--interval <seconds>", about: "between two pictures (default: 1)", as: "number" },
      {
        flags: "--sample <share>",
        about: "the part of each interval that MONITOR runs (default: 0.2; 1: all the time)",
        as: "share",
      },
      { flags: "--count <n>", about: "end after so many pictures", as: "count" },
      { flags: "--limit <n>", about: "rows to show (default: as the terminal has room)", as: "count" },
    ],
    examples: [
      ["keywright top --url redis://localhost:6379", "until Ctrl-C"],
      ["keywright top --json --count 60 > minute.ndjson", "a minute of it, one line a second"],
    ],
    load: () => import("./commands/top.ts"),
  },
  {
    name: "backup",
    summary: "make the server write its snapshot, and wait for its end",
    about: "BGSAVE, watched until LASTSAVE moves. On a server that cannot fork (the embedded engine), SAVE.",
    needs: ["server"],
    options: [{ flags: "--timeout <seconds>", about: "give up waiting after so long (default: 3600)", as: "number" }],
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
