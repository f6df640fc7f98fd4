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

export type ReadPart<S, Part extends string> = S extends { readonly [_ in Part]: infer C } ? ReadOf<C> : never
export type WritePart<S, Part extends string> = S extends { readonly [_ in Part]: infer C } ? WriteOf<C> : never
type FieldsOfShape<S> = S extends { readonly fields: infer F extends CodecFields } ? F : never

export interface Handles<S> {
  string: StringHandle<ReadPart<S, "value">, WritePart<S, "value">>
  counter: CounterHandle<ReadPart<S, "value">, WritePart<S, "value">>
  hash: HashHandle<ReadFields<FieldsOfShape<S>>, WriteFields<FieldsOfShape<S>>>
  map: MapHandle<ReadPart<S, "field">, WritePart<S, "field">, ReadPart<S, "value">, WritePart<S, "value">>
  list: ListHandle<ReadPart<S, "item">, WritePart<S, "item">>
  set: SetHandle<ReadPart<S, "member">, WritePart<S, "member">>
  zset: ZsetHandle<ReadPart<S, "member">, WritePart<S, "member">, ReadPart<S, "score">, WritePart<S, "score">>
  stream: StreamHandle<ReadFields<FieldsOfShape<S>>, WriteFields<FieldsOfShape<S>>>
  bitmap: BitmapHandle
  hyperloglog: HyperloglogHandle<WritePart<S, "member">>
  geo: GeoHandle<ReadPart<S, "member">, WritePart<S, "member">>
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
