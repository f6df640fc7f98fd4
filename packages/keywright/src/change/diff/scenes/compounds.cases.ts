import {
  compactDay,
  day,
  float,
  int,
  json,
  keyspace,
  oneOf,
  sliding,
  string,
  text,
  unixMillis,
  unixSeconds,
  type Keyspace,
} from "../../../index.ts"
import { status, type Scene } from "./scene.cases.ts"

type Codec = Parameters<typeof string>[1]

/** Random pairs of codecs, TTLs, patterns and parameters for one key: several changes at once, the same for the same number. */
export function compounds(count: number): Scene[] {
  let state = 42
  const pick = <T>(all: readonly T[]): T => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return all[Math.floor((state / 2 ** 32) * all.length)]!
  }
  const codecs: readonly Codec[] = [
    text,
    int,
    float,
    day,
    compactDay,
    unixSeconds,
    unixMillis,
    oneOf("a", "b"),
    oneOf("a"),
    int({ min: 0 }),
    json(status("x", "y")),
    json(status("x")),
  ]
  const ttls = ["never", "1d", "30d", sliding("1d")] as const
  const patterns = ["x:{id}", "x:{id}", "x:{id}", "y:{id}"] as const
  const params = [text, text, int] as const
  const make = () =>
    keyspace({ x: string(pick(patterns), pick(codecs), { ttl: pick(ttls), params: { id: pick(params) } }) }) as Keyspace
  return Array.from({ length: count }, (_, i) => ({
    title: `compound ${i}`,
    codes: ["CODEC.REPLACED"],
    before: make(),
    after: make(),
  }))
}
