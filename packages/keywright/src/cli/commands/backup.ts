import { backup } from "../../change/backup.ts"
import { countText } from "../../render/quantity.ts"
import type { Handler } from "../command.ts"
import { withServer } from "../open-server.ts"
import { timeoutMs } from "../walk-options.ts"

export const run: Handler = async (call) => {
  const { out } = call
  const saves = await withServer(call, undefined, ({ driver }) =>
    backup(driver, {
      ...timeoutMs(call),
      onProgress: ({ keys, of, seconds }) =>
        out.progress(
          `saving: ${keys === undefined || of === undefined ? "" : `${countText(keys)} of ${countText(of)} keys, `}${seconds.toFixed(0)} s`,
        ),
    }),
  )
  if (out.json) out.document({ schemaVersion: 1, saves })
  else
    for (const { server, how, lastSave, seconds } of saves)
      out.line(`${server}: saved at ${lastSave} by ${how}, in ${seconds} s`)
  return 0
}
