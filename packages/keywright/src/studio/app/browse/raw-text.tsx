import { bytesText } from "../../../render/quantity.ts"
import type { Raw } from "../../api.ts"
import { ShownText } from "../parts/shown-text.tsx"
import { bytesOf, hexDump, hexText } from "./hex-dump.ts"

/** A value as it is stored: text as text, anything else as bytes. */
export function RawText({ raw, large = false }: { readonly raw: Raw; readonly large?: boolean }) {
  const rest = raw.cut ? <span class="quiet"> … {bytesText(raw.bytes)} in all</span> : null
  if (raw.base64 !== undefined) {
    const bytes = bytesOf(raw.base64)
    return (
      <span class="binary">
        <span class="badge">binary, {bytesText(raw.bytes)}</span>{" "}
        {large ? <code class="pre hex">{hexDump(bytes)}</code> : <code>{hexText(bytes, 32)}</code>}
        {rest}
      </span>
    )
  }
  return (
    <>
      <code class={large ? "pre" : "break"}>
        {raw.text === "" ? <span class="quiet">empty</span> : <ShownText text={raw.text ?? ""} lines={large} />}
      </code>
      {rest}
    </>
  )
}
