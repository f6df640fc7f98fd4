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
import { diffText, renameQuestion, type ShownDifference } from "../../render/diff-text.ts"
import { githubAnnotations } from "../../render/github.ts"
import { printable } from "../../render/printable.ts"
import { sarif } from "../../render/sarif.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { askRenames, canAsk } from "../ask-renames.ts"
import { defined, type ExitCode, type Handler, type Invocation, textOption } from "../command.ts"
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

/**
 * Without OLD, the schema as it was committed last; without NEW, as it is now. A server is asked last, by the name of
 * the other side.
 */
async function sides(call: Invocation): Promise<readonly [SchemaSide, SchemaSide]> {
  const [old = "git:HEAD", now] = call.args
  // Without arguments, the new side is the schema of this folder: its own errors are reported first.
  if (call.args.length === 0) {
    const after = await schemaSide(call, undefined)
    return [await schemaSide(call, old), after]
  }
  if (isServer(old) && !isServer(now)) {
    const after = await schemaSide(call, now)
    return [await schemaSide(call, old, after.form.name), after]
  }
  const before = await schemaSide(call, old)
  return [before, await schemaSide(call, now, before.form.name)]
}

async function compared(call: Invocation, before: SchemaSide, after: SchemaSide): Promise<Difference> {
  const difference = await withAnswers(call, before, after)
  const given = textOption(call, "url") ?? textOption(call, "rdb")
  if (given === undefined) return difference
  const { signal, onProgress, rate } = walkOptions(call)
  const options = defined({ signal, onProgress, rate })
  return withSource(call, undefined, (source) => withData(difference, before.form, after.form, source, options))
}

/** At a terminal, possible renames are asked about. */
async function withAnswers(call: Invocation, before: SchemaSide, after: SchemaSide): Promise<Difference> {
  const given = renamesOf(call)
  requireRenamed(given, before, after)
  const difference = diffSchemas(before.form, after.form, { renames: given })
  const terminal = { input: process.stdin, output: process.stderr }
  const isForPrograms = call.out.json || (textOption(call, "format") ?? "text") !== "text"
  if (!canAsk(terminal, { isForPrograms, ci: process.env["CI"] })) return difference
  const said = await askRenames(difference.questions, terminal)
  if (Object.keys(said).length === 0) return difference
  for (const [was, name] of Object.entries(said)) call.out.note(`to say so for good: ${name} with was: "${was}"`)
  return diffSchemas(before.form, after.form, { renames: { ...given, ...said } })
}

/** A rename of something that there was not, or to something that there is not, is a slip: nobody would notice that it does nothing. */
function requireRenamed(renames: Readonly<Record<string, string>>, before: SchemaSide, after: SchemaSide): void {
  const [olds, news] = [before, after].map(({ form }) => fromJson(form).keys.map(({ name }) => name.split("#")[0]!))
  const isIn = (paths: readonly string[], one: string) =>
    paths.some((path) => one === path || one.startsWith(`${path}.`))
  for (const [was, name] of Object.entries(renames)) {
    if (!isIn(olds!, was)) throw renameRefused(`${was}=${name}`, `${before.label} has no ${was}`)
    if (!isIn(news!, name)) throw renameRefused(`${was}=${name}`, `${after.label} has no ${name}`)
  }
}

function renamesOf({ options }: Invocation): Record<string, string> {
  const given = (options["rename"] as readonly string[] | undefined) ?? []
  return Object.fromEntries(
    given.map((text) => {
      const parts = text.split("=")
      if (parts.length !== 2 || parts.some((part) => part === "")) throw renameRefused(text)
      return parts as [string, string]
    }),
  )
}

function print(call: Invocation, shown: ShownDifference, after: SchemaSide): void {
  const { out } = call
  const format = textOption(call, "format")
  if (format === "sarif") return out.document(sarif(diffReports(shown, linesOf(after)), version))
  if (format === "github") return out.annotations(githubAnnotations(diffReports(shown, linesOf(after))))
  if (format === "markdown") return out.text(diffMarkdown(printable(shown)))
  if (out.json) {
    for (const question of shown.questions) out.warn(renameQuestion(question))
    return out.document({ changes: shown.changes.map(changeDocument) })
  }
  return out.show(shown, diffText)
}

/** Where a change is declared; for removed entries, the beginning of the schema. */
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

function exitOf(call: Invocation, { changes }: Difference): ExitCode {
  const way = textOption(call, "compatible")
  const failOn = textOption(call, "failOn") ?? (way === undefined ? "data" : "never")
  if (way !== undefined && !changes.every(compatible[way]!)) return 1
  if (failOn === "never") return 0
  const least = levels.indexOf(failOn as Level)
  if (least < 0) throw usageRefused(`--fail-on ${failOn} is not a level`, `Use one of: ${levels.join(", ")}, never.`)
  return changes.some(({ level }) => levels.indexOf(level) >= least) ? 1 : 0
}
