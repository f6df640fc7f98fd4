/* Sentinels announce that a primary was replaced. That is only a hint: a client that hears it asks
 * all of them, because one that was cut off may announce something outdated. Without the hint, an
 * idle client would notice only with its next call, and a client that was cut off together with
 * its primary would write to it for longer. */

import { type Endpoint, showEndpoint } from "../cluster/endpoint.ts"
import type { Reply } from "../driver.ts"
import { Listener } from "../resp/listener.ts"
import type { SentinelOptions } from "./primary-of.ts"

export interface SwitchesOptions extends Omit<SentinelOptions, "sentinels"> {
  /** Those that are known at the moment. */
  readonly sentinels: () => readonly Endpoint[]
  /** Another primary may be in charge. */
  readonly onHint: () => void
}

const CHANNEL = "+switch-master"
/** A sentinel may be lost together with the primary. */
const LISTENED_TO = 3
/** Announcements within this time that are listened to: a sentinel that makes more would keep this process busy. */
const MOST_SAID = 1000
const SAID_WITHIN_MS = 60_000

export class Switches {
  readonly #listeners: readonly Listener[]

  constructor({ service, sentinels, dial, connection, onHint }: SwitchesOptions) {
    this.#listeners = Array.from({ length: Math.min(LISTENED_TO, sentinels().length) }, (_, first) => {
      let turn = first
      const next = (): Endpoint => {
        const known = sentinels()
        return known[turn++ % known.length]!
      }
      const at = { label: `the sentinel ${showEndpoint(sentinels()[first]!)}`, db: 0 }
      let isFirst = true
      let isLoud = false
      let [said, since] = [0, 0]
      const isTooMuch = (): boolean => {
        if (performance.now() - since > SAID_WITHIN_MS) [said, since, isLoud] = [0, performance.now(), false]
        return ++said > MOST_SAID
      }
      const listener: Listener = new Listener(
        { ...connection, ...at, dial: (signal) => dial(next())(signal) },
        {
          onLinked: () => {
            ;[said, since] = [0, performance.now()]
            listener.tell(["SUBSCRIBE", CHANNEL])
          },
          onReply: (reply) => {
            if (isTooMuch()) {
              isLoud = true
              return listener.leave(new Error("it announces more than any sentinel does"))
            }
            if (isOf(service, reply)) return onHint()
            if (!(Array.isArray(reply) && reply[0] === "subscribe")) return
            // One that was too loud is dialled more and more rarely.
            if (!isLoud) listener.calm()
            // What was announced while there was no link was missed.
            if (!isFirst) onHint()
            isFirst = false
          },
          onUnlinked: () => undefined,
        },
      )
      return listener
    })
  }

  close(): void {
    for (const listener of this.#listeners) listener.close()
  }
}

/** `"service old-host old-port new-host new-port"`: a sentinel announces the switches of every service that it watches. */
const isOf = (service: string, reply: Reply): boolean =>
  Array.isArray(reply) &&
  reply[0] === "message" &&
  reply[1] === CHANNEL &&
  String(reply[2]).split(" ").slice(0, -4).join(" ") === service
