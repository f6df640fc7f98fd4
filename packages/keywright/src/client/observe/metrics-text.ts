/* The text format of Prometheus, version 0.0.4: one block per metric, its HELP and
 * TYPE first. Label values are escaped, so that no pattern can forge a line. */

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly labels?: Labels
  readonly value: number
  /** For a histogram: `"_bucket"`, `"_sum"`, `"_count"`. */
  readonly suffix?: string
}

export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly samples: Iterable<Sample>
}

export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

export function metricText({ name, help, type, samples }: Metric): string {
  const lines = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`]
  for (const { labels = {}, value, suffix = "" } of samples) {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
    lines.push(`${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${numberText(value)}`)
  }
  return `${lines.join("\n")}\n`
}

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')
const numberText = (value: number): string =>
  value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : Number.isNaN(value) ? "NaN" : String(value)
