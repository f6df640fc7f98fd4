import { parseAddress } from "../../driver/address.ts"
import { isSentinelAddress, parseSentinelAddress } from "../../driver/sentinel/sentinel-address.ts"
import { failing } from "../../inspect/check/check-finding.ts"
import { doctor } from "../../inspect/doctor/doctor.ts"
import { doctorText } from "../../render/doctor-text.ts"
import type { Handler } from "../command.ts"
import { schemaFor } from "../schema-for.ts"
import { withServer } from "../open-server.ts"

export const run: Handler = async (call) => {
  const { keyspace, url: configured, levels } = await schemaFor(call)
  const result = await withServer(call, configured, ({ driver, url }) =>
    doctor(keyspace, driver, { connection: connectionOf(url), ...(levels && { rules: levels }) }),
  )
  call.out.show(result, doctorText)
  if (result.unreadable.length > 0) return 4
  return failing(result.findings) ? 1 : 0
}

function connectionOf(url: string): { readonly tls: boolean; readonly local: boolean } {
  if (isSentinelAddress(url)) return { tls: parseSentinelAddress(url).primary.tls, local: false }
  const { tls, host, path } = parseAddress(url)
  return { tls, local: path !== undefined || /^(localhost|127\.|::1$)/.test(host) }
}
