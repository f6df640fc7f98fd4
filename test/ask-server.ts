/* One command to a server of a test, as redis-cli sends it: without a process for each, which takes longer
 * than the server does. */

import { ErrorReply, RespClient } from "./resp-client.ts"

/** How long a server may take: one that a test has stopped says nothing. */
const PATIENCE_MS = 5000

/** What it says, a line for each element; of a refusal, why. Rejects when it does not answer. */
export async function askServer(port: number, ...command: string[]): Promise<string> {
  const client = await RespClient.connect(port)
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer of ${port} to ${command.join(" ")}`)), PATIENCE_MS)
  })
  try {
    const reply = await Promise.race([client.send(...command), silence])
    return reply instanceof ErrorReply ? reply.message : [reply].flat(9).join("\n").trim()
  } finally {
    clearTimeout(timer)
    client.close()
  }
}
