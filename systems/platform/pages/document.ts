/* The document of a system, as far as its page quotes it: the sentence that asked for each
 * key, and for what a route does. Ids are those of the requirements, which tests name too. */

export interface SystemDocument {
  /** By the name of the key in the schema. */
  readonly keys: Readonly<Record<string, Quote>>
  /** By route: `"POST /views"`. */
  readonly routes: Readonly<Record<string, Quote>>
  /** The language of the quotes about keys. Default: English. */
  readonly language?: "vi"
}

/** The requirement, what the document says, and in English where that is another language. */
export type Quote = readonly [id: string, text: string, english?: string]
