/* Kind → the class of its handles, typed by the shape of its values. */

import type { CodecFields, ReadFields, ReadOf, WriteFields, WriteOf } from "../../schema/codec/codec.ts"
import type { Kind } from "../../schema/define.ts"
import { BitmapHandle } from "./bitmap.ts"
import { CounterHandle } from "./counter.ts"
import { GeoHandle } from "./geo.ts"
import type { Handle } from "./handle.ts"
import { HashHandle } from "./hash.ts"
import { HyperloglogHandle } from "./hyperloglog.ts"
import { ListHandle } from "./list.ts"
import { MapHandle } from "./map.ts"
import { SetHandle } from "./set.ts"
import { StreamHandle } from "./stream.ts"
import { StringHandle } from "./string.ts"
import { ZsetHandle } from "./zset.ts"

type Read<S, Part extends string> = S extends { readonly [_ in Part]: infer C } ? ReadOf<C> : never
type Write<S, Part extends string> = S extends { readonly [_ in Part]: infer C } ? WriteOf<C> : never
type Fields<S> = S extends { readonly fields: infer F extends CodecFields } ? F : never

export interface Handles<S> {
  string: StringHandle<Read<S, "value">, Write<S, "value">>
  counter: CounterHandle<Read<S, "value">, Write<S, "value">>
  hash: HashHandle<ReadFields<Fields<S>>, WriteFields<Fields<S>>>
  map: MapHandle<Read<S, "field">, Write<S, "field">, Read<S, "value">, Write<S, "value">>
  list: ListHandle<Read<S, "item">, Write<S, "item">>
  set: SetHandle<Read<S, "member">, Write<S, "member">>
  zset: ZsetHandle<Read<S, "member">, Write<S, "member">, Read<S, "score">, Write<S, "score">>
  stream: StreamHandle<ReadFields<Fields<S>>, WriteFields<Fields<S>>>
  bitmap: BitmapHandle
  hyperloglog: HyperloglogHandle<Write<S, "member">>
  geo: GeoHandle<Read<S, "member">, Write<S, "member">>
}

export const handleClasses = {
  string: StringHandle,
  counter: CounterHandle,
  hash: HashHandle,
  map: MapHandle,
  list: ListHandle,
  set: SetHandle,
  zset: ZsetHandle,
  stream: StreamHandle,
  bitmap: BitmapHandle,
  hyperloglog: HyperloglogHandle,
  geo: GeoHandle,
} satisfies Record<Kind, new (...args: ConstructorParameters<typeof Handle>) => Handle>
