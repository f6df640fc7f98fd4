/* One table for both halves of the grammar: pattern.test.ts runs it through
 * parsePattern, pattern.test-d.ts through the types. */

export const goodPatterns = [
  { pattern: "viewed:", params: [], key: "viewed:" },
  { pattern: "viewed:{token}", params: ["token"], key: "viewed:x" },
  { pattern: "{userId}_liked_posts", params: ["userId"], key: "x_liked_posts" },
  { pattern: "recent_posts_for_category{category}", params: ["category"], key: "recent_posts_for_categoryx" },
  { pattern: "log-{date}", params: ["date"], key: "log-x" },
  {
    pattern: "P:{project}:S:{service}:Ch:{channel}:Sub",
    params: ["project", "service", "channel"],
    key: "P:x:S:x:Ch:x:Sub",
  },
  { pattern: "{{userId}}:cart", params: ["userId"], key: "{x}:cart" },
  { pattern: "{{userId}}:cart:{item}", params: ["userId", "item"], key: "{x}:cart:x" },
  { pattern: "cart:{{userId}}{item}", params: ["userId", "item"], key: "cart:{x}x" },
  { pattern: "{shop}{{userId}}{item}", params: ["shop", "userId", "item"], key: "x{x}x" },
  { pattern: "{a}", params: ["a"], key: "x" },
  { pattern: "{a}-{b}", params: ["a", "b"], key: "x-x" },
  { pattern: "a b/c|d.{e_1}", params: ["e_1"], key: "a b/c|d.x" },
] as const

export const badPatterns = [
  { pattern: "a:{}", code: "PATTERN.PARAM_NAME" },
  { pattern: "a:{{}}", code: "PATTERN.PARAM_NAME" },
  { pattern: "a:{x}{y}", code: "PATTERN.TOUCHING_PARAMS" },
  { pattern: "{x}{{y}}{z}{w}", code: "PATTERN.TOUCHING_PARAMS" },
  { pattern: "a:{x", code: "PATTERN.BRACES" },
  { pattern: "a:{{x}", code: "PATTERN.BRACES" },
  { pattern: "a:x}", code: "PATTERN.BRACES" },
  { pattern: "a}:{x}", code: "PATTERN.BRACES" },
  { pattern: "a:{x}:{x}", code: "PATTERN.DUPLICATE_PARAM" },
  { pattern: "a:{x y}", code: "PATTERN.PARAM_NAME" },
  { pattern: "a:{x:y}", code: "PATTERN.PARAM_NAME" },
  { pattern: "a:{__proto__}", code: "PATTERN.PARAM_NAME" },
  { pattern: "a:{{constructor}}", code: "PATTERN.PARAM_NAME" },
] as const
