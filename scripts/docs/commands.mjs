/* The page of the command line, from the commands' own data. */

import { escape } from "./errors.mjs"

/** `optionsOf` returns a command's options, common ones included. */
export function commandsPart(commands, optionsOf) {
  const list = commands.map(({ name, summary }) => `| [\`${name}\`](#${name}) | ${escape(summary)} |`)
  const parts = [["| Command | What it does |", "|---|---|", ...list].join("\n")]
  for (const command of commands) parts.push(...commandPart(command, optionsOf))
  return parts.join("\n\n")
}

function commandPart(command, optionsOf) {
  const { name, summary, about, examples } = command
  const words = (command.arguments ?? []).map((one) => (one.optional ? `[${one.name}]` : `<${one.name}>`))
  const rows = [
    ...(command.arguments ?? []).map((one) => [one.name, one.about]),
    ...optionsOf(command).map(({ flags, about, choices }) => [
      flags,
      choices ? `${about}: ${choices.join(", ")}` : about,
    ]),
  ]
  const width = Math.max(...examples.map(([call]) => call.length))
  return [
    `## ${name}`,
    escape(about ?? `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`),
    `\`\`\`text\nkeywright ${[name, ...words].join(" ")} [options]\n\`\`\``,
    [
      "| | |",
      "|---|---|",
      ...rows.map(([flags, text]) => `| \`${flags}\` | ${escape(text).replaceAll("|", "\\|")} |`),
    ].join("\n"),
    `\`\`\`text\n${examples.map(([call, text]) => `${call.padEnd(width)}  # ${text}`).join("\n")}\n\`\`\``,
  ]
}

/** What audit can find, from its own table. */
export function findingsPart(findingCodes) {
  const repair = { true: "yes", false: "no", flag: "with `--delete`" }
  const rows = Object.entries(findingCodes).map(
    ([code, { title, why, fix, fixable }]) =>
      `| \`${code}\` | ${escape(title)} | ${escape(why)} | ${escape(fix)} | ${repair[fixable]} |`,
  )
  return ["| Code | What it is | Why it matters | What to do | Repaired |", "|---|---|---|---|---|", ...rows].join("\n")
}
