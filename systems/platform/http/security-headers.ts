/* What every answer tells the browser, whichever part makes it: a route, the router, or
 * the server itself about a request that it could not read. The table in ../README.md is
 * made from this list, and a test compares them. */

export const securityHeaders = {
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
} as const

export const securityHeaderPairs: readonly (readonly [name: string, value: string])[] = Object.entries(securityHeaders)
