import type { Driver } from "./driver.ts"

/** INFO memory: what the whole server uses, and what it may. */
export async function serverMemory(driver: Driver) {
  const info = String(await driver.send(["INFO", "memory"], { safe: true }))
  const field = (name: string): string => new RegExp(`^${name}:(\\S*)`, "m").exec(info)?.[1] ?? ""
  return {
    usedBytes: Number(field("used_memory")),
    peakBytes: Number(field("used_memory_peak")),
    /** 0: as much as the machine has. */
    maxBytes: Number(field("maxmemory")),
    policy: field("maxmemory_policy"),
  }
}
