import type { ClientOf, Keyspace } from "keywright"

/** What the platform asks of a connected client: to ping it, and to look at its keys. */
export type Driver = ReturnType<ClientOf<Keyspace<{}, {}, {}, {}>>["$driver"]>
