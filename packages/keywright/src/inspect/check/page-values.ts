/* Values on a page that cannot be what they are meant to be: dates that their codec
 * refuses, and documents with a quote in the wrong place. */

import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { codecsIn } from "../../schema/codecs-in.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { Slip } from "./check-page.ts"
import type { MaskedLine } from "./page-text.ts"

export function checkPageValues(keyspace: Keyspace, lines: readonly MaskedLine[]): Slip[] {
  const dated = keyspace.keys.some((key) =>
    [...Object.values(key.params), ...codecsIn(key.shape)].some(({ spec }) => mentionsDay(spec)),
  )
  return lines.flatMap((line) => [...(dated ? dates(line) : []), ...quotes(line)])
}

const mentionsDay = (spec: CodecSpec): boolean =>
  spec.codec === "day" || spec.codec === "month" || ("of" in spec && mentionsDay(spec.of))

/** `2011-10-3` */
const dates = ({ raw, number }: MaskedLine): Slip[] =>
  [...raw.matchAll(/(?<![\d-])(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?![\d-])/g)]
    .filter(([, , month, day]) => month?.length === 1 || day?.length === 1)
    .map(([text, year, month, day]) => ({
      code: "PAGE.DATE",
      severity: "error",
      line: number,
      message: `${text} is not a date in the form that the keys have: ${[year, month, day].flatMap((part) => part?.padStart(2, "0") ?? []).join("-")}`,
      why: "The parts of a date are padded with zeros; unpadded, it is another key.",
      fix: "Write it with two digits each.",
    }))

/** `"tenant:"123"` */
const quotes = ({ raw, number }: MaskedLine): Slip[] =>
  [...raw.matchAll(/[{,]\s*("(\w+):"([^",{}]*)")/g)].map(([, text, name, value]) => ({
    code: "PAGE.BROKEN_VALUE",
    severity: "error",
    line: number,
    message: `${text} has a quote in the wrong place: "${name}":"${value}"`,
    fix: "Fix the quotes.",
  }))
