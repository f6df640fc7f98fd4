import type { IncomingMessage, ServerResponse } from "node:http"

/** A request and its answer, as Node has them. Hono's context is one, with more. */
export interface Exchange {
  readonly env: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }
}
