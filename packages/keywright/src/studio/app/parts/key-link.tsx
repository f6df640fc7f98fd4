import type { KeyLink } from "../../api.ts"
import { href } from "../state/route.ts"
import { ShownCode } from "./shown-text.tsx"

interface Props {
  readonly system: string
  readonly link: KeyLink
  /** One of the rows that arrow keys move between. */
  readonly row?: boolean
}

export const hrefOfKey = (system: string, { db, ref }: Pick<KeyLink, "db" | "ref">): string =>
  href("key", [system, String(db), ref])

/** A key, as a link to its page. */
export const KeyLinkText = ({ system, link, row = false }: Props) => (
  <a href={hrefOfKey(system, link)} {...(row && { "data-row": true })}>
    <ShownCode class="key break" text={link.key} />
  </a>
)
