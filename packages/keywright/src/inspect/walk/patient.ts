import type { Driver } from "../../driver/driver.ts"

/** The same driver with another deadline: a page may take its time, and only a server that has gone is given up. */
export const patient = (driver: Driver, timeoutMs: number): Driver => ({
  label: driver.label,
  kind: driver.kind,
  get cluster() {
    return driver.cluster
  },
  timeoutMs,
  db: driver.db,
  send: (command, options) => driver.send(command, { timeoutMs, ...options }),
  batch: (commands, options) => driver.batch(commands, { timeoutMs, ...options }),
  multi: (commands, options) => driver.multi(commands, { timeoutMs, ...options }),
  run: (script, keys, args, options) => driver.run(script, keys, args, { timeoutMs, ...options }),
  subscribe: (to) => driver.subscribe(to),
  database: async (db) => patient(await driver.database(db), timeoutMs),
  dedicated: async () => patient(await driver.dedicated(), timeoutMs),
  primaries: async () => (await driver.primaries()).map((node) => patient(node, timeoutMs)),
  ...(driver.slots && { slots: () => driver.slots!() }),
  ...(driver.dial && { dial: (signal: AbortSignal) => driver.dial!(signal) }),
  facts: () => driver.facts(),
  close: () => driver.close(),
})
