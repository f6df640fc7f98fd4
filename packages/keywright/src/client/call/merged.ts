/**
 * `{ ...one, ...other }`, for calls that are made often: V8 takes a microsecond to add properties to an object that was
 * made by a spread, and a tenth of that to assign them to an empty one.
 */
export const merged = <A extends object, B extends object>(one: A | undefined, other: B | undefined): A & B =>
  Object.assign({}, one, other) as A & B
