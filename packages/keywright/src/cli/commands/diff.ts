import { adviceFor } from "../../change/diff/advice.ts"
import { changeDocument, type Change } from "../../change/diff/change.ts"
import { diffSchemas, type Difference } from "../../change/diff/diff.ts"
import { isGood, levels, type Level } from "../../change/diff/verdict.ts"
import { withData } from "../../change/diff/with-data.ts"
import { usageRefused } from "../../errors/cli.ts"
import { renameRefused } from "../../errors/diff.ts"
import { sourceLines, type SourceLine } from "../../inspect/check/source-lines.ts"
import { diffMarkdown } from "../../render/diff-markdown.ts"
import { diffReports } from "../../render/diff-reports.ts"
import { diffText, type ShownDifference } from "../../render/diff-text.ts"
import { githubAnnotations } from "../../render/github.ts"
import { printable } from "../../render/printable.ts"
import { sarif } from "../../render/sarif.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { type Call, type ExitCode, type Handler, textOption } from "../command.ts"
import { isServer, schemaSide, type SchemaSide } from "../schema-side.ts"
import { version } from "../version.ts"
import { walkOptions } from "../walk-options.ts"
import { withSource } from "../with-source.ts"

export const run: Handler = async (call) => {
  const [before, after] = await sides(call)
  const difference = await compared(call, before, after)
  const shown: ShownDifference = {
    ...difference,
    before: before.label,
    after: after.label,
    advice: difference.changes.map(adviceFor),
  }
  print(call, shown, after)
  return exitOf(call, difference)
}

/** Without OLD, the schema as it was committed last; without NEW, as it is now. A server is asked last, for its own name. */
async function sides(call: Call): Promise<readonly [SchemaSide, SchemaSide]> {
  const [old = "git:HEAD", now] = call.args
  if (isServer(old) && !isServer(now)) {
    const after = await schemaSide(call, now)
    return [await schemaSide(call, old, after.form.name), after]
  }
  const before = await schemaSide(call, old)
  return [before, await schemaSide(call, now, before.form.name)]
}

async function compared(call: Call, before: SchemaSide, after: SchemaSide): Promise<Difference> {
  const difference = diffSchemas(before.form, after.form, { renames: renamesOf(call) })
  const given = textOption(call, "url") ?? textOption(call, "rdb")
  if (given === undefined) return difference
  const { signal, onProgress, rate } = walkOptions(call)
  const options = { ...(signal && { signal }), ...(onProgress && { onProgress }), ...(rate !== undefined && { rate }) }
  return withSource(call, undefined, (source) => withData(difference, before.form, after.form, source, options))
}

function renamesOf({ options }: Call): Record<string, string> {
  const given = (options["rename"] as readonly string[] | undefined) ?? []
  return Object.fromEntries(
    given.map((text) => {
      const parts = text.split("=")
      if (parts.length !== 2 || parts.some((part) => part === "")) throw renameRefused(text)
      return parts as [string, string]
    }),
  )
}

function print(call: Call, shown: ShownDifference, after: SchemaSide): void {
  const { out } = call
  const format = textOption(call, "format")
  if (format === "sarif") return out.document(sarif(diffReports(shown, linesOf(after)), version))
  if (format === "github") return out.annotations(githubAnnotations(diffReports(shown, linesOf(after))))
  if (format === "markdown") return out.text(diffMarkdown(printable(shown)))
  if (out.json) {
    for (const { before, after: now } of shown.questions)
      out.warn(`was ${before} renamed to ${now}? Say so with was: "${before}", or --rename ${before}=${now}`)
    return out.document({ changes: shown.changes.map(changeDocument) })
  }
  return out.show(shown, diffText)
}

/** Where a change is declared; of what went, the beginning of the schema. */
function linesOf({ form, sources }: SchemaSide): (change: Change) => SourceLine | undefined {
  const keyspace = fromJson(form)
  const lines = sourceLines(keyspace, sources)
  const rows = new Map(keyspace.keys.map((key) => [key.name, key]))
  return ({ newKey, path }) => {
    const row = rows.get(newKey ?? "") ?? rows.get(path.split(/[.#]/)[0] as string)
    const [first] = sources
    return (row && lines(row)) ?? (first && { file: first.file, line: 1 })
  }
}

const compatible: Readonly<Record<string, (change: Change) => boolean>> = {
  backward: ({ newReader, newWriter }) => isGood(newReader) && isGood(newWriter),
  forward: ({ oldReader }) => isGood(oldReader),
  full: ({ oldReader, newReader, oldWriter, newWriter }) => [oldReader, newReader, oldWriter, newWriter].every(isGood),
}

function exitOf(call: Call, { changes }: Difference): ExitCode {
  const way = textOption(call, "compatible")
  const failOn = textOption(call, "failOn") ?? (way === undefined ? "data" : "never")
  if (way !== undefined && !changes.every(compatible[way]!)) return 1
  if (failOn === "never") return 0
  const least = levels.indexOf(failOn as Level)
  if (least < 0) throw usageRefused(`--fail-on ${failOn} is not a level`, `use one of ${levels.join(", ")}, never`)
  return changes.some(({ level }) => levels.indexOf(level) >= least) ? 1 : 0
}
