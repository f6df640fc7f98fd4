import type { AnyCodec } from "../../schema/codec/codec.ts"
import { asking, type CallNotes, type WriteNotes } from "../call/notes.ts"
import { encodeAll, isNone } from "./elements.ts"
import { Handle } from "./handle.ts"
import { movable, sameServer } from "./movable.ts"
import { asNumber, isOne, nothing } from "../call/reply.ts"

/** How many different members were seen, about: within 1 %, in 12 kB. */
export class HyperloglogHandle<W> extends Handle {
  /** PFADD, O(members): true when the estimate changed. */
  add(...members: W[]): Promise<boolean> {
    return this.addMany(members)
  }

  /** PFADD of many, O(members): true when the estimate changed. */
  addMany(members: readonly W[], notes?: WriteNotes): Promise<boolean> {
    if (isNone(members)) return Promise.resolve(false)
    const codec = this.ready.declared.shape["member"] as AnyCodec
    return this.write(() => ["PFADD", this.key, ...encodeAll(codec, members)], isOne, notes)
  }

  /** PFCOUNT, O(1). */
  count(notes?: CallNotes): Promise<number> {
    return this.read(["PFCOUNT", this.key], asNumber, asking(notes))
  }

  /** PFCOUNT of several, O(keys): different members in all of them together. */
  countWith(...others: Pick<HyperloglogHandle<W>, "key" | "~lane" | "count">[]): Promise<number> {
    return this.read(() => {
      sameServer("countWith", this.lane, ...others.map((other) => other["~lane"]))
      return ["PFCOUNT", this.key, ...others.map((other) => other.key)]
    }, asNumber)
  }

  /** PFMERGE, O(keys): what the others have seen is seen here too. */
  merge(...others: HyperloglogHandle<W>[]): Promise<void> {
    return this.write(() => {
      sameServer("merge", this.lane, ...others.map((other) => other.lane))
      movable("merge", this.ready)
      return ["PFMERGE", this.key, ...others.map((other) => other.key)]
    }, nothing)
  }
}
