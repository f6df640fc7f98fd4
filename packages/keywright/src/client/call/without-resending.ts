import type { Driver } from "../../driver/driver.ts"

const made = new WeakMap<Driver, Driver>()

/** The same driver for whoever asks what it is; collected calls are not sent through it, so nothing is sent twice. */
export function withoutResending(driver: Driver): Driver {
  if (!driver.resends) return driver
  let one = made.get(driver)
  if (!one) made.set(driver, (one = wrapped(driver)))
  return one
}

const wrapped = (driver: Driver): Driver => ({
  label: driver.label,
  kind: driver.kind,
  cluster: driver.cluster,
  resends: false,
  db: driver.db,
  timeoutMs: driver.timeoutMs,
  send: (command, options) => driver.send(command, options),
  batch: (commands, options) => driver.batch(commands, options),
  multi: (commands, options) => driver.multi(commands, options),
  run: (script, keys, args, options) => driver.run(script, keys, args, options),
  subscribe: (to) => driver.subscribe(to),
  database: (db) => driver.database(db),
  dedicated: () => driver.dedicated(),
  primaries: () => driver.primaries(),
  facts: () => driver.facts(),
  close: () => Promise.resolve(),
})
