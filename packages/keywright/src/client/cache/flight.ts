/* Loads under way in this process, which others may join.
 *
 * Who joins must not get what an invalidation has made old before they came, and another
 * process may have done that unnoticed. So a flight says as of when its result is right,
 * by this process's clock: when the source was asked; or later, where the lease proved
 * that nothing was invalidated until then. Who came after that waits, and then loads
 * again, or joins somebody who does: two loads for any number of readers. */

export interface Flight<V> {
  result: Promise<V>
  /** By `performance.now()`: what was invalidated before is not in the result. */
  asOf: number
}

export type Flights = Map<string, Flight<unknown>>

/** The result of the flight with this name, if it is right as of `since`; else that of a new one. */
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
  // Nothing was read yet: an error that comes before is everybody's.
  const flight: Flight<V> = { result: undefined as never, asOf: Infinity }
  flight.result = fly(flight).finally(() => {
    if (flights.get(name) === flight) flights.delete(name)
  })
  flights.set(name, flight)
  return flight
}
