/** Installs what the programs of this kind need, and returns where. */
export function install(kind: "node" | "python", folder?: string): string
/** Runs one phase of a program on a server. */
export function run(program: string, folder: string, url: string, phase: "first" | "later"): Promise<void>
