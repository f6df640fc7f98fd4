import type { ComponentChildren } from "preact"
import type { SearchHit } from "../../api.ts"
import { Pattern } from "../parts/pattern.tsx"
import { ShownCode } from "../parts/shown-text.tsx"
import { TypeName } from "../parts/type-name.tsx"
import { href } from "../state/route.ts"

/** Where a hit leads. */
export function hrefOfHit(hit: SearchHit): string {
  switch (hit.what) {
    case "key":
      return href("key", [hit.system, String(hit.link.db), hit.link.ref])
    case "finding":
      return href("audit", [], { code: hit.code })
    case "entity":
      return href("schema", [hit.system], { entity: hit.name })
    default:
      return href("schema", [hit.system, hit.name])
  }
}

export function SearchHitRow({ hit }: { readonly hit: SearchHit }) {
  switch (hit.what) {
    case "key":
      return (
        <HitRow what="key" system={hit.system}>
          <ShownCode class="key cut" text={hit.link.key} />
          <TypeName type={hit.type} />
        </HitRow>
      )
    case "finding":
      return (
        <HitRow what="finding">
          <code>{hit.code}</code> <span class="quiet cut">{hit.text}</span>
        </HitRow>
      )
    case "entity":
      return (
        <HitRow what="entity" system={hit.system}>
          <b>{hit.name}</b> <span class="quiet cut">{hit.text}</span>
        </HitRow>
      )
    case "field":
      return (
        <HitRow what="field" system={hit.system}>
          <b>{hit.field}</b> <span class="quiet">of</span> <Pattern of={hit.pattern} line />
        </HitRow>
      )
    case "pattern":
      return (
        <HitRow what="pattern" system={hit.system}>
          <Pattern of={hit.pattern} line /> <TypeName type={hit.type} />
          {hit.text === undefined ? null : <span class="quiet cut">{hit.text}</span>}
        </HitRow>
      )
  }
}

interface RowProps {
  readonly what: string
  readonly system?: string
  readonly children: ComponentChildren
}

const HitRow = ({ what, system, children }: RowProps) => (
  <div class="hit">
    <span class="hit-what">{what}</span>
    <span class="hit-text">{children}</span>
    {system === undefined ? null : <span class="quiet small">{system}</span>}
  </div>
)
