/* Everything that happens by itself goes to every open page over one stream of events
 * each. A page that does not keep up misses events and learns how many: what is kept for
 * it is bounded. Each event is a complete state, so the next one makes up for it. */

import type { Events } from "../api.ts"

export interface Subscriber {
  /** The systems whose commands it wants to watch. */
  readonly live: ReadonlySet<string>
  /** Bytes of the stream; false when there is no room for them now. */
  write(text: string): boolean
  end(): void
}

export class EventHub {
  /** Called when pages connect and disconnect. */
  onChange: () => void = () => undefined
  readonly #subscribers = new Map<Subscriber, { missed: number }>()

  /** Some page is open. */
  get watched(): boolean {
    return this.#subscribers.size > 0
  }

  get size(): number {
    return this.#subscribers.size
  }

  wantsLive(system: string): boolean {
    return [...this.#subscribers.keys()].some(({ live }) => live.has(system))
  }

  /** Returns the function that ends it. */
  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.set(subscriber, { missed: 0 })
    this.onChange()
    return () => {
      if (this.#subscribers.delete(subscriber)) this.onChange()
    }
  }

  emit<N extends keyof Events>(name: N, data: Events[N], to?: (subscriber: Subscriber) => boolean): void {
    if (this.#subscribers.size === 0) return
    const text = eventText(name, data)
    for (const [subscriber, state] of this.#subscribers) {
      if (to?.(subscriber) === false) continue
      if (state.missed > 0 && subscriber.write(eventText("missed", { count: state.missed }))) state.missed = 0
      if (state.missed > 0 || !subscriber.write(text)) state.missed++
    }
  }

  /** Open pages so that they see that nothing has broken. */
  beat(): void {
    for (const subscriber of this.#subscribers.keys()) subscriber.write(": still here\n\n")
  }

  close(): void {
    this.emit("bye", {})
    for (const subscriber of this.#subscribers.keys()) subscriber.end()
    this.#subscribers.clear()
  }
}

export const eventText = <N extends keyof Events>(name: N, data: Events[N]): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
