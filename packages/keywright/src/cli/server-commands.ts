/* The commands about a running server as a whole. */

import type { CliCommand } from "./command.ts"
import { WALK } from "./walk-options.ts"

export const serverCommands: readonly CliCommand[] = [
  {
    name: "doctor",
    summary: "find server settings that endanger the data",
    about:
      "Reads version, memory, eviction policy, persistence, replicas, security, slow log and latency of a server, and says what each means for the keys of this schema. Writes nothing.",
    needs: ["schema", "server"],
    address: true,
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
          "another version of the schema to show what changed: a file, a Git revision, a JSON form, or a server; one for each --config, or one for all",
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
        "any server; with the schema of ./keywright.config.ts if there is one",
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
]
