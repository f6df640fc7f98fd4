import type { AnyCodec } from "./codec/codec.ts"

/** All codecs of a shape, those of fields included. */
export const codecsIn = (shape: Readonly<Record<string, unknown>>): AnyCodec[] =>
  Object.values(shape).flatMap((part) => (isCodec(part) ? [part] : codecsIn(part as Readonly<Record<string, unknown>>)))

export const isCodec = (part: unknown): part is AnyCodec => typeof (part as Partial<AnyCodec>).decode === "function"
