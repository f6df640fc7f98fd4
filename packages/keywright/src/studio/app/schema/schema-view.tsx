import { NoSystem } from "../parts/empty.tsx"
import { route } from "../state/route.ts"
import { schemas, systemNamed, systems } from "../state/studio.ts"
import { PatternDocPage } from "./pattern-doc-page.tsx"
import { SystemSchemaPage } from "./system-schema-page.tsx"

/** `#/schema/shop` is a whole schema, `#/schema/shop/cart` one pattern. */
export function SchemaView() {
  const [name = systems.value[0]?.name, pattern] = route.value.path
  const system = systemNamed(name)
  if (system === undefined) return <NoSystem name={name} view="schema" />
  const schema = schemas.value[system.name]
  if (schema === undefined) return null
  return pattern === undefined ? (
    <SystemSchemaPage key={system.name} system={system} schema={schema} />
  ) : (
    <PatternDocPage key={pattern} system={system} schema={schema} name={pattern} />
  )
}
