import type { Driver } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"

/** The logical databases that have keys, as INFO keyspace says; in a cluster there is only one. */
export async function usedDatabases(driver: Driver): Promise<number[]> {
  if (driver.cluster) return [driver.db]
  const text = String(await driver.send(["INFO", "keyspace"], SAFE))
  const found = [...text.matchAll(/^db(\d+):/gm)].map(([, db]) => Number(db))
  return found.length === 0 ? [driver.db] : found
}
