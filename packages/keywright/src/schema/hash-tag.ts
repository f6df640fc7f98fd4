import { parsePattern } from "./pattern.ts"

/** `"{{tenant}}:user:{id}"` → `"tenant"`: the parameter in the first braces of the key. */
export function hashTag(pattern: string): string | undefined {
  const parts = parsePattern(pattern)
  const at = parts.findIndex((part) => typeof part === "string" && part.includes("{"))
  const [before, param, after] = [parts[at], parts[at + 1], parts[at + 2]]
  const isTag = typeof before === "string" && before.indexOf("{") === before.length - 1
  return isTag && typeof param === "object" && typeof after === "string" && after.startsWith("}")
    ? param.param
    : undefined
}
