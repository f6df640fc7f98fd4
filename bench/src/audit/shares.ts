import type { Bench } from "../harness.ts"
import { median } from "../harness-stats.ts"
import { timed } from "../harness-timed.ts"
import type { BenchServer } from "./server.ts"

/** What share of the time of `redis-cli --memkeys` some work takes, which is done right after it: medians over rounds. */
export async function sharesOfMemkeys<N extends string>(
  bench: Bench,
  server: BenchServer,
  work: Readonly<Record<N, () => Promise<unknown>>>,
): Promise<Record<N, number>> {
  const all = Object.entries(work) as [N, () => Promise<unknown>][]
  // The engine compiles what it has seen often: once before anything is timed, as for every bench.
  for (const [, once] of all) await once()
  const ratios = all.map((): number[] => [])
  for (let round = 0; round < (bench.full ? 3 : 7); round++) {
    const memkeys = await server.cli("--memkeys")
    const times = [`memkeys ${memkeys.toFixed(0)} ms`]
    for (const [i, [name, once]] of all.entries()) {
      const ms = await timed(once)
      ratios[i]!.push(ms / memkeys)
      times.push(`${name} ${ms.toFixed(0)} ms`)
    }
    bench.say(times.join(", "))
  }
  return Object.fromEntries(all.map(([name], i) => [name, median(ratios[i]!)])) as Record<N, number>
}
