import { top } from "../../inspect/stats/top.ts"
import { printable } from "../../render/printable.ts"
import { topText } from "../../render/top-text.ts"
import { defined, type Handler, numberOption } from "../command.ts"
import { schemaFor } from "../schema-for.ts"
import { withServer } from "../open-server.ts"

export const run: Handler = async (call) => {
  const { keyspace, url: configured } = await schemaFor(call)
  const { out } = call
  const [interval, sample, frames] = ["interval", "sample", "count"].map((name) => numberOption(call, name))
  const stopping = new AbortController()
  process.once("SIGINT", () => stopping.abort())
  await withServer(call, configured, async (server) => {
    out.note("MONITOR runs on a connection of its own, for a part of each interval; Ctrl-C ends it")
    const intervalMs = interval === undefined ? undefined : interval * 1000
    const options = { ...defined({ intervalMs, sample, frames }), signal: stopping.signal }
    for await (const frame of top(keyspace, server, options)) {
      if (out.json) out.row(frame)
      else {
        const rows = numberOption(call, "limit") ?? (out.live ? (process.stdout.rows ?? 30) - 6 : 40)
        out.frame(`${topText(printable(frame), { rows, width: out.width }, out.colour)}\n`)
      }
    }
  })
  return 0
}
