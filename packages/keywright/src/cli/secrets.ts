/* Passwords in the arguments of a call: masked in everything that is printed about it. */

const inUrl = /^[a-z+]+:\/\/(.*)@/is
const inOptions = /[?&]\w*password=([^&#]*)/gi

/** For the words of the call and of the environment: the part of addresses before the @, its pieces, and passwords among their options. */
export function secretsIn(words: readonly string[]): string[] {
  const urls = [...words.map((word) => word.replace(/^--?\w+=/, "")), process.env["REDIS_URL"] ?? ""]
  const found = urls.flatMap((url) => {
    const options = [...url.matchAll(inOptions)].flatMap(([, secret]) => [secret!, decoded(secret!)])
    const credentials = inUrl.exec(url)?.[1]
    if (credentials === undefined) return options
    const password = credentials.slice(credentials.indexOf(":") + 1)
    // An address that is cut in the wrong place shows a part of it.
    const parts = password.split(/[/?#@:]/).filter((part) => part.length > 3)
    return [credentials, password, decoded(password), ...parts, ...options]
  })
  return [...new Set(found)].filter((secret) => secret.length > 2).sort((a, b) => b.length - a.length)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // Not percent-encoded: used as it is.
  }
}
