import { bytesText, countText } from "../../../render/quantity.ts"
import { Empty } from "../parts/empty.tsx"
import { InlineCode } from "../parts/inline-code.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { Pattern } from "../parts/pattern.tsx"
import { TypeName } from "../parts/type-name.tsx"
import { href } from "../state/route.ts"
import { counts, schemas, session, systemNamed } from "../state/studio.ts"
import { findPattern, unknownPattern } from "./find-pattern.ts"
import { KeysTable } from "./keys-table.tsx"

export function PatternPage({ system, name }: { readonly system: string; readonly name: string }) {
  const schema = schemas.value[system]
  const pattern = findPattern(schema?.tree ?? [], name)
  const unknown = unknownPattern(name)
  if (schema === undefined) return null
  if (pattern === undefined && unknown === undefined)
    return (
      <Empty title="No such pattern">
        <p>
          The schema of {system} has no pattern <code>{name}</code>. Perhaps it was renamed:{" "}
          <a href={href("schema", [system])}>see the schema</a>.
        </p>
      </Empty>
    )
  const count = counts.value[system]?.get(name)
  const canCreate = session.value?.write === true && schema.forms[name]?.create === true
  return (
    <div class="page">
      <PageHead
        title={<Pattern of={pattern?.pattern ?? unknown ?? ""} />}
        crumbs={[
          { text: "Browse", href: href("browse") },
          { text: systemNamed(system)?.title ?? system, href: href("browse", [system]) },
        ]}
        lead={
          pattern === undefined ? (
            "No pattern of the schema owns these keys: mistyped, left over, or not yet declared."
          ) : pattern.doc === undefined ? (
            pattern.role
          ) : (
            <InlineCode text={pattern.doc} />
          )
        }
      >
        {pattern === undefined || name.includes("/") ? null : (
          <a class="button" href={href("schema", [system, name])}>
            In the schema
          </a>
        )}
        {canCreate ? (
          <a class="button first" href={href("edit", [system, name])}>
            Create
          </a>
        ) : null}
      </PageHead>
      <ul class="marks">
        {pattern === undefined ? (
          <li class="badge warn">not in the schema</li>
        ) : (
          <>
            <li>
              <TypeName type={pattern.type} kind={pattern.kind} />
            </li>
            <li>TTL: {pattern.ttl}</li>
          </>
        )}
        {count === undefined ? null : (
          <li>
            {countText(count.keys)} keys, {bytesText(count.bytes)}
          </li>
        )}
        {pattern?.secret ? <li class="badge warn">keys hold secrets</li> : null}
        {pattern?.deprecated === undefined ? null : <li class="badge warn">deprecated: {pattern.deprecated}</li>}
      </ul>
      <KeysTable
        system={system}
        name={name}
        params={pattern?.params ?? []}
        indexes={pattern?.indexes ?? []}
        type={pattern?.type}
      />
    </div>
  )
}
