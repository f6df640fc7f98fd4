/* The console: one command at a time, understood before it is sent. */

import type { KeyLink } from "./keys.ts"

export interface ConsoleCalls {
  /** A command that reads is run; one that writes is run when `confirm` repeats what was answered before. */
  "POST /api/systems/:system/console": { readonly body: ConsoleBody; readonly answer: ConsoleAnswer }
  /** What may follow in a line that is being typed: not in an address, because it may hold a secret. */
  "POST /api/systems/:system/console/complete": {
    readonly body: { readonly db: number; readonly line: string }
    readonly answer: ConsoleCompletion
  }
}

export interface ConsoleBody {
  readonly db: number
  readonly line: string
  readonly confirm?: string
}

/** What is refused is a failure, with its reason. */
export type ConsoleAnswer =
  | {
      readonly outcome: "done"
      readonly access: "read" | "write"
      readonly reply: ConsoleReply
      readonly tookMs: number
    }
  /** It would write: sent again with `confirm`, it is done. `text` is what will happen, in words. */
  | { readonly outcome: "confirm"; readonly confirm: string; readonly text: string; readonly keys: readonly KeyLink[] }
  /** It would write what the schema keeps together with other keys: the editor does that. */
  | { readonly outcome: "editor"; readonly text: string; readonly keys: readonly KeyLink[] }

/** A reply as redis-cli would show it; long ones are cut. */
export type ConsoleReply =
  | { readonly is: "nil" }
  | { readonly is: "number"; readonly text: string }
  /** `link`: the text is a key. */
  | { readonly is: "text"; readonly text: string; readonly cut: boolean; readonly link?: KeyLink }
  | { readonly is: "bytes"; readonly base64: string; readonly bytes: number }
  | { readonly is: "error"; readonly text: string }
  | { readonly is: "list"; readonly items: readonly ConsoleReply[]; readonly more: number }

export interface ConsoleCompletion {
  /** Where in the line a chosen text goes: from here to the end. */
  readonly from: number
  readonly options: readonly { readonly text: string; readonly about: string }[]
  /** For a known command: what it does, and its arguments. */
  readonly command?: { readonly name: string; readonly access: "read" | "write"; readonly usage: string }
}
