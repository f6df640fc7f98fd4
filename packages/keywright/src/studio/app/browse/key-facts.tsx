import { bytesText, countText } from "../../../render/quantity.ts"
import { isRefused } from "../../../render/unreadable-text.ts"
import type { KeyDetail } from "../../api.ts"
import { Fact } from "../parts/fact.tsx"
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
      <Fact
        label="Type"
        value={
          <>
            <TypeName type={type} />
            {isOdd ? <span class="badge bad">should be {expectedType}</span> : null}
          </>
        }
        more={entity === undefined ? (kind === type ? "" : (kind ?? "")) : `${entity.name}: ${entity.role}`}
      />
      <Fact
        label="Expires in"
        value={<Ttl ms={ttlMs} at={at} refused={isRefused(detail, "PTTL")} />}
        more={ttlRule ?? ""}
      />
      <Fact
        label={type === "string" ? "Length" : "Elements"}
        value={length === null ? "–" : type === "string" ? bytesText(length) : countText(length)}
        more={encoding ?? ""}
      />
      <Fact label="In memory" value={bytes === null ? "–" : bytesText(bytes)} more={`database ${db}`} />
    </dl>
  )
}
