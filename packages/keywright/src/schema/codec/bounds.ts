/* Numbers between two ends: `int({ min: 0, max: 4 })`. The ends are part of the codec, so
 * that a number outside them is refused before it is sent, and reported when it is read.
 *
 * Increments are carried out by the server, which does not know the bounds: their results
 * are read without checking them, and audit finds values outside. */

import { codecRefused } from "../../errors/codec.ts"
import { definitionRefused } from "../../errors/define.ts"
import { codec, type NumericCodec } from "./codec.ts"

/**
 * The smallest and the largest number that a codec takes, both included.
 * @example
 * const stars: Bounds = { min: 1, max: 5 }
 * const rating = int(stars)
 */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

/**
 * What `int` and `float` are: codecs of numbers, which can be called for one with bounds.
 * @example
 * const percent = (of: BoundableCodec) => of({ min: 0, max: 100 })
 */
export interface BoundableCodec extends NumericCodec<number> {
  (bounds: Bounds): NumericCodec<number>
}

/** `isEnd` says which numbers can be bounds. */
export function boundable(of: NumericCodec<number>, isEnd: (value: unknown) => boolean): BoundableCodec {
  const bounded = (bounds: Bounds) => withBounds(of, bounds, isEnd)
  return Object.freeze(Object.defineProperties(bounded, Object.getOwnPropertyDescriptors(of))) as BoundableCodec
}

function withBounds(
  of: NumericCodec<number>,
  { min, max, ...others }: Bounds,
  isEnd: (value: unknown) => boolean,
): NumericCodec<number> {
  const name = `${of.name} ${boundsText({ min, max })}`
  const ends = [min, max].filter((end) => end !== undefined)
  if (ends.length === 0 || Object.keys(others).length > 0) throw definitionRefused(of.name, "bounds are min and max")
  if (!ends.every(isEnd)) throw definitionRefused(of.name, `a bound is not ${of.name}`)
  if (min !== undefined && max !== undefined && min > max) throw definitionRefused(name, "min is above max")
  const check = (value: number, found: unknown): void => {
    if (value < (min ?? -Number.MAX_VALUE) || value > (max ?? Number.MAX_VALUE))
      throw codecRefused("BOUNDS", name, found)
  }
  return codec({
    ...of,
    name,
    spec: {
      ...of.spec,
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
    } as typeof of.spec,
    example: exampleOf(of, min, max),
    ...(of.mask && min !== undefined && min >= 0 && { mask: of.mask.filter((mask) => !mask.startsWith("-")) }),
    unbounded: of,
    encode(value) {
      const raw = of.encode(value)
      check(value, value)
      return raw
    },
    decode(raw) {
      const value = of.decode(raw)
      check(value, raw)
      return value
    },
  })
}

/** `"from 0 to 4"`, `"from 1"`, `"up to 0"` */
const boundsText = ({ min, max }: { readonly min: number | undefined; readonly max: number | undefined }): string =>
  [min === undefined ? "" : `from ${min}`, max === undefined ? "" : `${min === undefined ? "up " : ""}to ${max}`]
    .filter((part) => part !== "")
    .join(" ")

function exampleOf(of: NumericCodec<number>, min = -Infinity, max = Infinity): string {
  const usual = of.decode(of.example)
  return of.encode(usual < min ? min : usual > max ? max : usual)
}
