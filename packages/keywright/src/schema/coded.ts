/* For the compiler: what is handed over where a codec is expected. A schema of zod or of another library is let in, and
 * then refused with a sentence, because what the compiler says about it otherwise helps nobody. */

import type { AnyCodec } from "./codec/codec.ts"
import type { Invalid } from "./pattern.ts"

/** A schema of any library that follows Standard Schema. */
export interface BareSchema {
  readonly "~standard": unknown
}

export type Codable = AnyCodec | BareSchema
export type CodableFields = Readonly<Record<string, Codable>>

/** `V` itself when it is a codec, else what to do. */
export type Coded<V> = V extends BareSchema ? Invalid<"a schema is not a codec: wrap it in json()"> : V

/** The same for each field. */
export type CodedFields<F> = { readonly [N in keyof F]: Coded<F[N]> }
