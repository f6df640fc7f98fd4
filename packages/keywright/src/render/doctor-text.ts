/* A doctor's report for people: the server in two lines, then what is wrong. */

import type { CheckFinding } from "../inspect/check/check-finding.ts"
import type { DoctorResult } from "../inspect/doctor/doctor.ts"
import { severitiesText } from "./findings-text.ts"
import type { Paint } from "./paint.ts"
import { bytesText, counted, secondsText } from "./quantity.ts"
import { table } from "./table.ts"
import { refusedText } from "./unreadable-text.ts"

export function doctorText(result: DoctorResult, paint: Paint): string {
  const { server, findings, ping, slow, unreadable } = result
  const name = server.flavour === "valkey" ? "Valkey" : "Redis"
  const parts = [
    `${paint.bold(`${name} ${server.version}`)}, ${server.mode} ${server.role}, up ${secondsText(server.uptimeSeconds)}, ` +
      `${bytesText(server.usedMemory)} used, ${counted(server.clients, "client")}, ${counted(server.replicas, "replica")}, ` +
      `PING ${ping.p50} ms (p99 ${ping.p99} ms)`,
    ...findings.map((finding) => findingText(finding, paint)),
    ...(slow.length === 0 ? [] : [slowText(result, paint)]),
    ...(unreadable.length === 0
      ? []
      : [
          refusedText(unreadable)
            .map((line) => paint.yellow(line))
            .join("\n"),
        ]),
    findings.length > 0
      ? severitiesText(findings)
      : unreadable.length > 0
        ? "no finding in what could be read"
        : paint.green("nothing endangers this schema"),
  ]
  return parts.join("\n\n")
}

const MOST = 4

function findingText({ code, severity, message, why, fix, patterns = [] }: CheckFinding, paint: Paint): string {
  const shade = { error: paint.red, warning: paint.yellow, note: paint.cyan }[severity]
  const more = patterns.length > MOST ? ` and ${patterns.length - MOST} more` : ""
  const hint = (name: string, text: string | undefined) =>
    text === undefined || text === "" ? [] : [`  ${paint.dim(name.padEnd(9))}${text}`]
  return [
    `${paint.bold(shade(severity))} ${paint.bold(code)}  ${message}`,
    ...hint("why", why),
    ...hint("concerns", patterns.slice(0, MOST).join(", ") + more),
    ...hint("fix", fix),
  ].join("\n")
}

function slowText({ slow }: DoctorResult, paint: Paint): string {
  const columns = [
    { head: "command" },
    { head: "pattern", most: 60 },
    { head: "times", right: true },
    { head: "worst ms", right: true },
    { head: "total ms", right: true },
  ]
  const rows = slow
    .slice(0, 10)
    .map((row) => [row.command, row.pattern ?? "-", String(row.count), row.worstMs.toFixed(1), row.totalMs.toFixed(1)])
  return `${paint.bold("Slow log by pattern")}\n${table(columns, rows, (text, row) => (row < 0 ? paint.dim(text) : text))}`
}
