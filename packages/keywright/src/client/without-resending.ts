import type { Driver } from "../driver/driver.ts"

/** The same driver for whoever asks what it is; collected calls are not sent through it, so nothing is sent twice. */
export const withoutResending = (driver: Driver): Driver => ({
  label: driver.label,
  kind: driver.kind,
  cluster: driver.cluster,
  resends: false,
  db: driver.db,
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
