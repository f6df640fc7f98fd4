/* What of a JSON text is lost when it is parsed and printed again, as an edit of one of its fields does: numbers with
 * more digits than JavaScript keeps, such as 64-bit ids, and names that occur twice. */

import { endOfString, nameTwice } from "../../../files/name-twice.ts"

/** Something that would be lost, in words; undefined when it is nothing, or when the text is not JSON. */
export function lostInJson(text: string): string | undefined {
  if (!isJson(text)) return undefined
  const name = nameTwice(text)
  if (name !== undefined) return `the name ${JSON.stringify(name)} occurs twice`
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (sign === '"') at = endOfString(text, at)
    else if (sign === "-" || (sign >= "0" && sign <= "9")) {
      const number = /^[-+.\deE]+/.exec(text.slice(at, at + LONGEST_NUMBER))![0]
      if (number.length === LONGEST_NUMBER || significant(number) !== significant(String(Number(number))))
        return `the number ${number.length > 40 ? `${number.slice(0, 40)}…` : number} has more digits than JavaScript keeps`
      at += number.length - 1
    }
  }
  return undefined
}

/** No number that JavaScript keeps is printed with as many characters. */
const LONGEST_NUMBER = 400

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The digits and the power of ten: the same for every spelling of a number. */
function significant(number: string): string {
  const [mantissa = "", power = "0"] = number.replace("-", "").toLowerCase().split(/e\+?/)
  const [whole = "", fraction = ""] = mantissa.split(".")
  const digits = (whole + fraction).replace(/^0+/, "")
  let end = digits.length
  while (end > 0 && digits[end - 1] === "0") end--
  if (end === 0) return "0"
  return `${digits.slice(0, end)}e${Number(power) - fraction.length + (digits.length - end)}`
}
