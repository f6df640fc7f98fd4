/* Colours, as render needs them: handed in, so that the terminal is the command line's matter. */

export type Paint = Readonly<Record<"bold" | "dim" | "red" | "yellow" | "green" | "cyan", (text: string) => string>>
