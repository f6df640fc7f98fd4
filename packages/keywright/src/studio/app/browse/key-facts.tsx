import { bytesText, countText } from "../../../render/quantity.ts"
import { isRefused } from "../../../render/unreadable-text.ts"
import type { KeyDetail } from "../../api.ts"
import { Ttl } from "../parts/ttl.tsx"
import { TypeName } from "../parts/type-name.tsx"

interface Props {
  readonly detail: KeyDetail
  /** When it was read, by this page's clock. */
  readonly at: number
}

export function KeyFacts({ detail, at }: Props) {
  const { type, kind, expectedType, ttlMs, ttlRule, bytes, encoding, length, db, entity } = detail
  const isOdd = expectedType !== undefined && expectedType !== type
  return (
    <dl class="facts small-facts">
      <div class="fact">
        <dt>Type</dt>
        <dd class="value">
          <TypeName type={type} />
          {isOdd ? <span class="badge bad">should be {expectedType}</span> : null}
        </dd>
        <dd class="more">{entity === undefined ? (kind === type ? "" : kind) : `${entity.name}: ${entity.role}`}</dd>
      </div>
      <div class="fact">
        <dt>Expires in</dt>
        <dd class="value">
          <Ttl ms={ttlMs} at={at} refused={isRefused(detail, "PTTL")} />
        </dd>
        <dd class="more">{ttlRule ?? ""}</dd>
      </div>
      <div class="fact">
        <dt>{type === "string" ? "Length" : "Elements"}</dt>
        <dd class="value">{length === null ? "–" : type === "string" ? bytesText(length) : countText(length)}</dd>
        <dd class="more">{encoding ?? ""}</dd>
      </div>
      <div class="fact">
        <dt>In memory</dt>
        <dd class="value">{bytes === null ? "–" : bytesText(bytes)}</dd>
        <dd class="more">database {db}</dd>
      </div>
    </dl>
  )
}
