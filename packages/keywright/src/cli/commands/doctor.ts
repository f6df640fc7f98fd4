import type { Handler } from "../command.ts"
export const run: Handler = async () => 0
