/* Loads in progress in this process, which other callers may join.
 *
 * A caller that joins must not get a value that was invalidated before its call, and
 * another process may have done that unnoticed. So a flight records the time as of which
 * its result is valid, by this process's clock: when the source was asked, or later,
 * where the lease proved that nothing was invalidated until then. A caller that came
 * after that time waits, and then loads again or joins a later flight: at most two loads
 * for any number of readers. */

export interface Flight<V> {
  result: Promise<V>
  /** By `performance.now()`: what was invalidated before is not in the result. */
  asOf: number
}

export type Flights = Map<string, Flight<unknown>>

/** The result of the flight with this name, if it is valid as of `since`; otherwise that of a new flight. */
export async function joined<V>(
  flights: Flights,
  name: string,
  since: number,
  fly: (flight: Flight<V>) => Promise<V>,
): Promise<V> {
  for (;;) {
    const known = flights.get(name) as Flight<V> | undefined
    if (!known) return start(flights, name, fly).result
    const settled = await known.result.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error
      },
    )
    if (known.asOf >= since) return settled()
    if (flights.get(name) === known) flights.delete(name)
  }
}

function start<V>(flights: Flights, name: string, fly: (flight: Flight<V>) => Promise<V>): Flight<V> {
  // Nothing has been read yet, so an error here is passed to every caller.
  const flight: Flight<V> = { result: undefined as never, asOf: Infinity }
  flight.result = fly(flight).finally(() => {
    if (flights.get(name) === flight) flights.delete(name)
  })
  flights.set(name, flight)
  return flight
}
