/* The metrics of several processes as one text: what each counted is added up; a gauge reads what
 * all of them share, so the largest reading is taken. */

interface Family {
  /** Its HELP and TYPE. */
  readonly head: string[]
  readonly isGauge: boolean
  readonly values: Map<string, number>
}

export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>()
  for (const text of texts) {
    let family: Family | undefined
    let help: string[] = []
    for (const line of text.split("\n")) {
      if (line.startsWith("# HELP ")) help = [line]
      else if (line.startsWith("# TYPE ")) {
        const [, , name = "", type = ""] = line.split(" ")
        family = families.get(name) ?? { head: [...help, line], isGauge: type === "gauge", values: new Map() }
        families.set(name, family)
      } else if (line !== "" && family !== undefined) add(family, line)
    }
  }
  return [...families.values()]
    .map(
      ({ head, values }) => `${[...head, ...[...values].map(([series, value]) => `${series} ${value}`)].join("\n")}\n`,
    )
    .join("")
}

function add({ isGauge, values }: Family, line: string): void {
  const space = line.lastIndexOf(" ")
  const [series, value] = [line.slice(0, space), Number(line.slice(space + 1))]
  const known = values.get(series)
  if (known === undefined) values.set(series, value)
  else values.set(series, isGauge ? Math.max(known, value) : known + value)
}
