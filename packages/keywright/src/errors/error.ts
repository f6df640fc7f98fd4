/* One class for everything that Keywright throws on purpose, and a few subclasses that
 * callers can distinguish. An error is data: `code` is stable and tested, the sentences
 * are not. Each error has one constructor function, in the file beside this one that is
 * named after its layer. */

export type ErrorCode = `${string}.${string}`

export interface ErrorHints {
  /** Why this is refused, when the message alone does not say. */
  readonly why?: string
  /** What to do about it. */
  readonly fix?: string
  /** The key pattern concerned: safe to log and to count by. */
  readonly pattern?: string
  /** The key concerned, secret segments redacted. */
  readonly key?: string
  /** Plain data for programs: never secrets. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/**
 * What every error of this package is: `code` is stable, so programs can compare it; `why` and `fix` are for people.
 * @example
 * try {
 *   await db.user.create({ email: "ada@example.com", name: "Ada" })
 * } catch (error) {
 *   if (error instanceof KeywrightError) console.error(error.code, error.message, error.fix)
 * }
 */
export class KeywrightError extends Error implements ErrorHints {
  readonly code: ErrorCode
  declare readonly why?: string
  declare readonly fix?: string
  declare readonly pattern?: string
  declare readonly key?: string
  declare readonly details?: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, hints?: ErrorHints) {
    super(message)
    this.code = code
    this.name = new.target.name
    Object.assign(this, hints)
  }
}

/** Also of another copy of the toolkit. A schema may come with one, in a package of node_modules for example: then its
 * codecs throw that copy's errors. Taken for strangers they would stop an audit, and show what a codec quotes of a secret. */
export const isKeywrightError = (error: unknown): error is KeywrightError =>
  error instanceof KeywrightError ||
  (error instanceof Error && /^[A-Z0-9_]+\.[A-Z0-9_]+$/.test(String((error as Partial<KeywrightError>).code)))

/**
 * A declaration, a key segment or a value that the schema refuses. Nothing was sent.
 * @example
 * try {
 *   await db.page({ hash: "" }).get()
 * } catch (error) {
 *   if (error instanceof SchemaError) console.log(error.code) // → KEY.EMPTY_SEGMENT
 * }
 */
export class SchemaError extends KeywrightError {}
