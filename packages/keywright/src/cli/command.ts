/* A command is data, and a handler that is loaded when it is called. The list of them is
 * commands.ts; program.ts builds the command line from it. */

import type { Output } from "./output.ts"

export { defined } from "../errors/defined.ts"

/** 0 clean, 1 findings, 2 usage, 3 no connection, 4 partial. */
export type ExitCode = 0 | 1 | 2 | 3 | 4

export interface CliCommand {
  readonly name: string
  /** One line for the list. */
  readonly summary: string
  /** More, for its own help. */
  readonly about?: string
  readonly arguments?: readonly { readonly name: string; readonly about: string; readonly optional?: boolean }[]
  /** What it works on decides which common options it has. */
  readonly needs: readonly ("schema" | "server")[]
  /** The address may be an argument; without a schema, one is inferred from what is there. */
  readonly address?: true
  readonly options?: readonly Option[]
  readonly examples: readonly Example[]
  readonly load: () => Promise<{ readonly run: Handler }>
}

export interface Option {
  /** As commander has it: `"--rate <n>"`. */
  readonly flags: string
  readonly about: string
  /** `number` is above 0; `count` also whole; `share` above 0 and up to 1. */
  readonly as?: "number" | "count" | "share"
  readonly choices?: readonly string[]
  /** May be given several times: an array. */
  readonly many?: boolean
}

export type Example = readonly [call: string, about: string]

export interface Invocation {
  readonly command: string
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  readonly out: Output
  /** Its address was an argument, not an option. */
  readonly isPositional?: true
}

export type Handler = (call: Invocation) => Promise<ExitCode>

/** An option that is a text, when it was given. */
export const textOption = ({ options }: Invocation, name: string): string | undefined =>
  options[name] as string | undefined
export const numberOption = ({ options }: Invocation, name: string): number | undefined =>
  options[name] as number | undefined

export const withOptions = (call: Invocation, options: Invocation["options"]): Invocation => ({
  ...call,
  options: { ...call.options, ...options },
})
