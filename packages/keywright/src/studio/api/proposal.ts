/* The schema of a system that nobody declared: it was inferred, and can be kept. */

export interface ProposalCalls {
  /** 404 where the schema was declared. */
  "GET /api/systems/:system/proposal": { readonly answer: ProposedSource }
  /** Needs --write; 409 where the file exists. */
  "POST /api/systems/:system/proposal/save": {
    readonly body: { readonly path: string }
    readonly answer: { readonly file: string }
  }
}

export interface ProposedSource {
  readonly system: string
  /** As TypeScript, ready to be a file. */
  readonly source: string
}
