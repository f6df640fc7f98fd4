/* Colours, as render needs them: handed in, so that plain text is a matter of `plain`. */

export type Paint = Readonly<Record<"bold" | "dim" | "red" | "yellow" | "green" | "cyan", (text: string) => string>>

const same = (text: string): string => text

export const plain: Paint = { bold: same, dim: same, red: same, yellow: same, green: same, cyan: same }
