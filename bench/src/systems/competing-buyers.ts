/* Thirty buyers check out the same dish at once, of which there are ten. A checkout is one
 * script that reads and, if there is stock, one that writes if nothing has changed: any
 * further calls that the server counts are checkouts that were decided again. */

import { RespClient } from "../../../test/resp-client.ts"
import { startProgram } from "./start-program.ts"
import { ask, asked } from "./ask.ts"
import { add, administrator, args, register } from "./restaurant-routes.ts"

const [BUYERS, STOCK] = [30, 10]

export async function competingBuyers(serve: string, redis: { url: string; port: number }) {
  const program = await startProgram(serve, ["restaurant", "--port", "0", "--redis", redis.url, ...args])
  const server = await RespClient.connect(redis.port)
  try {
    const tokens = await prepared(program.url)
    await server.send("CONFIG", "RESETSTAT")
    const answers = await Promise.all(tokens.map((token) => ask(program.url, "POST /cart/checkout", {}, token)))
    const scripts = Number(/cmdstat_evalsha:calls=(\d+)/.exec(String(await server.send("INFO", "commandstats")))?.[1])
    const orders = answers.filter(({ status }) => status === 201).length
    return { orders, retries: (scripts - BUYERS - orders) / 2 }
  } finally {
    server.close()
    await program.stop()
  }
}

/** Everybody has the dish in their cart, once. */
async function prepared(url: string): Promise<string[]> {
  const boss = await administrator(url)
  const category = await asked(url, "POST /api/categories", { name: "Competition" }, boss)
  const given = { name: "Phở", price: 50_000, categoryId: category["id"], stock: STOCK }
  const dish = await asked(url, "POST /api/dishes", given, boss)
  const tokens = await Promise.all(Array.from({ length: BUYERS }, (_, i) => register(url, `rival-${i}`)))
  for (const token of tokens) await asked(url, "POST /cart/add-dish", add(token, dish["id"]!).body as object, token)
  return tokens
}
