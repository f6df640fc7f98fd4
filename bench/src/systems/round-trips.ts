import { RespClient } from "../../../test/resp-client.ts"

/** How often the server read from its clients for `work`: `total_reads_processed`, without our own question. */
export async function roundTrips(port: number, work: () => Promise<unknown>): Promise<number> {
  await work() // The first one sends the script itself.
  const client = await RespClient.connect(port)
  const reads = async () => Number(/total_reads_processed:(\d+)/.exec(String(await client.send("INFO", "stats")))![1])
  const before = await reads()
  await work()
  const after = await reads()
  client.close()
  return after - before - 1
}
