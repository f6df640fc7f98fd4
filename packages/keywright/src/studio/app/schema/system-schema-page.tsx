import { useEffect } from "preact/hooks"
import type { SystemInfo, SystemSchema } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { InlineCode } from "../parts/inline-code.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { SystemTabs } from "../parts/system-tabs.tsx"
import { route } from "../state/route.ts"
import { DiagramView } from "./diagram-view.tsx"
import { RulesCard } from "./doc-notes.tsx"
import { RelationsTable } from "./relations-table.tsx"
import { SectionDoc, sectionAnchor } from "./section-doc.tsx"
import { Steps } from "./steps.tsx"

/** A schema as in the docs: the diagram, every key, what must hold. */
export function SystemSchemaPage({ system, schema }: { readonly system: SystemInfo; readonly schema: SystemSchema }) {
  const { page, diagram } = schema
  const { entity } = route.value.query
  useEffect(() => {
    if (entity !== undefined) document.getElementById(sectionAnchor(entity))?.scrollIntoView()
  }, [entity])
  return (
    <div class="page">
      <PageHead title={system.title} lead={page.doc === undefined ? undefined : <InlineCode text={page.doc} />}>
        <SystemTabs view="schema" chosen={system.name} />
      </PageHead>
      <div class="stack">
        {diagram === undefined ? null : (
          <Card title={diagram.kind === "entities" ? "Entities" : "Ids and what connects them"}>
            <DiagramView system={system.name} diagram={diagram} />
          </Card>
        )}
        {page.sections.map((section) => (
          <SectionDoc key={section.name} system={system.name} section={section} />
        ))}
        <RelationsTable relations={page.relations} />
        <RulesCard rules={page.invariants} />
        <Steps steps={page.steps} />
        <p class="quiet small">
          Fingerprint <code>{system.fingerprint}</code>
        </p>
      </div>
    </div>
  )
}
