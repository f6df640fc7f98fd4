import { importKeys, type ImportResult } from "../../change/copy/import-keys.ts"
import { countText } from "../../render/quantity.ts"
import { unreadableText } from "../../render/unreadable-text.ts"
import { defined, type ExitCode, type Handler, type Invocation } from "../command.ts"
import { loadConfig } from "../load-config.ts"
import { requireFile } from "../named-file.ts"
import { withServer } from "../open-server.ts"
import { timeoutMs } from "../walk-options.ts"

export const run: Handler = async (call) => {
  const { keyspace, url, accept } = await loadConfig(call)
  const [file = "-"] = call.args
  if (file !== "-") requireFile(file)
  const stopping = new AbortController()
  process.once("SIGINT", () => stopping.abort(new Error("stopped by Ctrl-C")))
  const mode = call.options["mode"] as "skip" | "overwrite" | "fail" | undefined
  const leftOut = call.options["leftOut"] as "refuse" | "skip" | undefined
  const result = await withServer(call, url, ({ driver }) =>
    importKeys(keyspace, driver, file === "-" ? process.stdin : { file }, {
      ...defined({ mode, leftOut, accept }),
      foreign: call.options["foreign"] === true ? "import" : "refuse",
      modules: call.options["modules"] === true,
      jackson: call.options["form"] === "jackson",
      rebuild: call.options["rebuild"] !== false,
      signal: stopping.signal,
      ...timeoutMs(call),
      onProgress: ({ done, of }) => call.out.progress(`${countText(done)} of ${countText(of)} keys`),
    }),
  )
  return print(call, result, mode ?? "fail")
}

const UNEXPECTED =
  "the export has an earlier line for the same key, which counts, or somebody else wrote them meanwhile"
const DIFFERENT = "somebody else is changing them, or the export has a later line for the same key"

function print({ out }: Invocation, result: ImportResult, mode: string): ExitCode {
  const { written, skipped, same, expired, leftOut, unreadable, different, rebuilt } = result
  const fixed = Object.values(rebuilt?.fixed ?? {}).reduce((sum, count) => sum + count, 0)
  // None of them was there when the file was checked.
  const unexpected = mode === "fail" ? skipped : 0
  const findings = Object.entries(rebuilt?.findings ?? {})
  if (out.json) out.document({ schemaVersion: 1, ...result })
  else {
    const parts = [
      `${countText(written)} keys written`,
      same > 0 && `${countText(same)} were there already`,
      skipped > 0 && `${countText(skipped)} left as they are${unexpected > 0 ? `: ${UNEXPECTED}` : ""}`,
      expired > 0 && `${countText(expired)} had expired`,
      leftOut > 0 && `${countText(leftOut)} skipped: their secrets were left out`,
      unreadable > 0 && `${countText(unreadable)} skipped: they could not be read when the export was made`,
      different > 0 && `${countText(different)} differed when read back: ${DIFFERENT}`,
      fixed > 0 && `${countText(fixed)} derived entries rebuilt`,
    ]
    out.line(parts.filter((part) => part !== false).join("; "))
    if (findings.length > 0)
      out.warn(`the audit finds: ${findings.map(([code, count]) => `${code} ${countText(count)}`).join(", ")}`)
  }
  if (result.otherSchema)
    out.warn(
      "the export was made by another schema: its keys were checked by this one; keywright diff compares the two",
    )
  if (result.otherRecorded > 0)
    out.warn(
      "the recorded schema in the export is another version, and was not imported: keywright record stores this one",
    )
  const unread = unreadableText(rebuilt?.unreadable ?? [])
  for (const line of unread) out.warn(line)
  return different > 0 || unexpected > 0 || unreadable > 0 || unread.length > 0 ? 4 : findings.length > 0 ? 1 : 0
}
