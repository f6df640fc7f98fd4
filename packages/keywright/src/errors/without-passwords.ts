/**
 * A text that repeats what was typed, without the passwords of addresses, also of those that are mistyped or in the wrong
 * place: what comes before an @, and the parameters behind a question mark.
 */
export const withoutPasswords = (text: string): string =>
  text
    .split(" ")
    .map((word) => {
      const at = word.lastIndexOf("@")
      const rest = at >= 0 && word.lastIndexOf(":", at) >= 0 ? `…${word.slice(at)}` : word
      return rest.replace(/\?[^?=]*=.*$/s, "?…")
    })
    .join(" ")
