/* A line of MONITOR: `1700000000.123456 [0 127.0.0.1:50000] "GET" "cart:42"`. Only
 * as many arguments are read as it takes to find the key; values are not looked at. */

export interface MonitoredCommand {
  readonly db: number
  /** Name and first arguments. */
  readonly command: readonly string[]
  /** Called by a script. */
  readonly script: boolean
}

const head = /^\d+\.\d+ \[(\d+) ([^\]]*)\] /
const ARGUMENTS = 8

export function readMonitorLine(line: string): MonitoredCommand | undefined {
  const found = head.exec(line)
  if (!found) return undefined
  const command: string[] = []
  let at = found[0].length
  while (command.length < ARGUMENTS && line[at] === '"') {
    const end = endOfString(line, at + 1)
    if (end < 0) break
    command.push(unescape(line.slice(at + 1, end)))
    at = end + 2
  }
  return command.length === 0 ? undefined : { db: Number(found[1]), command, script: found[2] === "lua" }
}

function endOfString(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\") at++
    else if (line[at] === '"') return at
  }
  return -1
}

const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", a: "\u0007", b: "\b" }

/** Bytes are written as \xNN: together they are UTF-8 again. */
function unescape(text: string): string {
  if (!text.includes("\\")) return text
  const latin = text.replace(/\\x([\da-f]{2})|\\(.)/gi, (_, hex: string | undefined, char: string) =>
    hex === undefined ? (controls[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(latin, "latin1").toString()
}
