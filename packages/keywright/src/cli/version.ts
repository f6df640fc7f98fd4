/* Put in by the bundler. */

declare const KEYWRIGHT_VERSION: string | undefined

export const version: string = typeof KEYWRIGHT_VERSION === "undefined" ? "0.0.0" : KEYWRIGHT_VERSION
