/* E-mail addresses: of those that look the same, all are one, or only one is an address. */

import { domainToUnicode } from "node:url"

/** Only visible characters: no control, format or bidi characters, no fillers, spaces or Braille blanks. */
const SEEN = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+$/u
/**
 * No quotes, which may be there or not, and no empty label: with a dot at its end a domain is the same. Of ASCII, a
 * domain has what names of hosts have: `%65` would be an e to some.
 */
const ADDRESS = /^[^@"]+@(?:[a-z0-9-]|\P{ASCII})+(?:\.(?:[a-z0-9-]|\P{ASCII})+)*$/u
const LATIN = /\p{Script=Latin}/u
/** What stands beside Latin letters somewhere in the world. Nearly every other script has letters that look like them. */
const BESIDE_LATIN =
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]*$/u
/**
 * Clicks, phonetic letters and small capitals, which are Latin and look like others; signs around a letter; marks on a
 * letter or a sign that nobody writes with them, or else there would be one character for both.
 */
const LOOK_ALIKE =
  /[\u01c0-\u01c3\u0250-\u02af\u1d00-\u1dbf\ua730\ua731\ua78b\ua78c\ua78f\uab30-\uab6f\p{Me}]|[\p{Script=Latin}\p{Script=Common}]\p{M}/u

/**
 * Other dashes, quotes and dots than those of ASCII, which look like them: besides ASCII there are only letters, marks and
 * digits of a script, the long vowel of Japanese, and the dot of Catalan.
 */
const SIGN = /(?!\p{ASCII}|\u30fc|(?<=l)\u00b7l)(?:[^\p{L}\p{M}\p{N}]|\p{Script=Common})/u
/** A stroke of Chinese, Japanese or Korean, which is a hyphen between Latin letters. */
const STROKE = /[\p{Script=Latin}\d][\u1173\u30fc\u3127\u4e00]+[\p{Script=Latin}\d]/u

/** Two spellings are one address (RST-C19): trimmed, in small letters, and in one Unicode form. */
const oneForm = (given: string): string => dotted(given.trim().normalize("NFKC").toLowerCase().normalize("NFKC"))
/** An i without its dot, and one that has it twice, look like i. */
const dotted = (text: string): string =>
  text
    .replaceAll("\u0131", "i")
    .replaceAll("\u0237", "j")
    .replace(/([ij])\u0307+/g, "$1")
/** The one spelling of an address. In its domain, Chinese and Japanese full stops and `xn--` are spelled out, too. */
export function oneSpelling(given: string): string {
  const [name = "", ...domains] = oneForm(given).split("@")
  const spelled = domains.map((domain) => {
    const dotted = domain.replaceAll("\u3002", ".")
    return /(?:^|\.)xn--/.test(dotted) ? oneForm(domainToUnicode(dotted)) : dotted
  })
  return [name, ...spelled].join("@")
}

/** Takes what `oneSpelling` returns. */
export const isAddress = (given: string): boolean =>
  SEEN.test(given) &&
  ADDRESS.test(given) &&
  !LOOK_ALIKE.test(given) &&
  !SIGN.test(given) &&
  !STROKE.test(given) &&
  !given.split(/[@.]/).some((part) => /^\p{M}/u.test(part) || (LATIN.test(part) && !BESIDE_LATIN.test(part)))
