/* Every name that the published packages export, with its doc comment and the example in it. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../step.mjs"
import { docOf, exportsOf, nodesIn, splitDoc, ts } from "./read-source.mjs"

/** `[{ name, from, isType, file, prose, example }]`: `from` is what a program imports it from; each declaration once. */
export function publishedExports() {
  const found = new Map()
  for (const { from, file } of entryPoints())
    for (const { name, file: declaredIn, nodes } of exportsOf(file)) {
      const known = `${declaredIn} ${name}`
      if (found.has(known)) continue
      const doc = nodes.map(docOf).find((one) => one !== undefined)
      const isType = nodes.every((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      found.set(known, { name, from, isType, file: declaredIn.slice(root.length), ...splitDoc(doc ?? "") })
    }
  return [...found.values()]
}

/** What the packages say that they export, by their sources. */
function entryPoints() {
  return ["keywright", "embedded"].flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, `packages/${folder}/package.json`), "utf8"))
    return Object.entries(exports).flatMap(([path, to]) =>
      typeof to === "string"
        ? []
        : [{ from: name + path.slice(1), file: join("packages", folder, to["@keywright/source"]) }],
    )
  })
}

/**
 * An example as a program: what it uses and does not declare is imported, from where it was declared or from `context`,
 * which exports what the examples take for granted (`contextNames`).
 */
export function asProgram({ from, example }, all, contextNames) {
  const source = ts.createSourceFile("example.ts", example, ts.ScriptTarget.Latest, true)
  const declared = new Set(source.statements.flatMap(declaredBy))
  const names = [...nodesIn(source)].filter((node) => ts.isIdentifier(node) && !isMember(node))
  const used = new Set(names.map(({ text }) => text))
  const imports = new Map()
  for (const name of used) {
    if (declared.has(name)) continue
    const named = (one) => one.name === name
    const origin = (all.find((one) => named(one) && one.from === from) ?? all.find(named))?.from
    const module = contextNames.has(name) ? "./context.ts" : origin
    if (module !== undefined) imports.set(module, [...(imports.get(module) ?? []), name])
  }
  return [
    ...[...imports].map(([module, names]) => `import { ${names.join(", ")} } from "${module}"`),
    example,
    "export {}",
  ].join("\n")
}

function declaredBy(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesOf(name))
  return statement.name === undefined ? [] : [statement.name.text]
}

const namesOf = (name) =>
  ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((element) => (element.name ? namesOf(element.name) : []))

const isMember = ({ parent, text }) =>
  (ts.isPropertyAccessExpression(parent) && parent.name.text === text && parent.expression.getText() !== text) ||
  (ts.isPropertyAssignment(parent) && parent.name.getText() === text && parent.initializer.getText() !== text)
