/** A service of a project: the prefix of all keys and rows of a request. It comes from the token, and from nothing else (MSG-33). */
export interface Scope {
  readonly project: string
  readonly service: string
}

/** Who calls (MSG-4). */
export interface Principal extends Scope {
  readonly tenant: string
  readonly account: string
  readonly code: "push" | "roc" | "sms"
  readonly user: string
  readonly token: string
}

/** The prefix alone: a caller is more than that. */
export const at = ({ project, service }: Scope): Scope => ({ project, service })
