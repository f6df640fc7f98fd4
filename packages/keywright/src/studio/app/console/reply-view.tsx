import { bytesText, countText } from "../../../render/quantity.ts"
import type { ConsoleReply } from "../../api.ts"
import { bytesOf, hexText } from "../browse/hex-dump.ts"
import { KeyLinkText } from "../parts/key-link.tsx"
import { ShownText } from "../parts/shown-text.tsx"

/** A reply, nested as the server nests it. Texts are other people's. */
export function ReplyView({ system, reply }: { readonly system: string; readonly reply: ConsoleReply }) {
  switch (reply.is) {
    case "nil":
      return <span class="quiet">(nil)</span>
    case "number":
      return <span class="j-number">{reply.text}</span>
    case "error":
      return (
        <span class="cell-error">
          <ShownText text={reply.text} />
        </span>
      )
    case "bytes":
      return (
        <span class="binary">
          <span class="badge">binary, {bytesText(reply.bytes)}</span> <code>{hexText(bytesOf(reply.base64), 24)}</code>
        </span>
      )
    case "text":
      return reply.link === undefined ? (
        <code class="break reply-text">
          {reply.text === "" ? <span class="quiet">(empty)</span> : <ShownText text={reply.text} lines />}
          {reply.cut ? <span class="quiet"> … cut</span> : null}
        </code>
      ) : (
        <KeyLinkText system={system} link={reply.link} />
      )
    case "list":
      return reply.items.length === 0 && reply.more === 0 ? (
        <span class="quiet">(none)</span>
      ) : (
        <ol class="reply-list">
          {reply.items.map((item, i) => (
            <li key={i}>
              <ReplyView system={system} reply={item} />
            </li>
          ))}
          {reply.more > 0 ? <li class="quiet">… {countText(reply.more)} more</li> : null}
        </ol>
      )
  }
}
