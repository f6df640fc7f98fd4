/* What the sources say about themselves, for the documentation: declarations with their doc comments.
 * Files are only parsed, so this takes milliseconds; the compiler is the one that typedoc uses. */

import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"
import { root } from "../step.mjs"

export const ts = createRequire(join(root, "docs/package.json"))("typescript")

/** The files below a folder of the repository, as paths of the repository. */
export const filesBelow = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith(ending) && !file.includes("node_modules"))
    .map((file) => join(folder, file))
    .sort()

const parsed = new Map()

/** The syntax tree of a file; `file` is relative to the repository. */
export function parse(file) {
  const path = resolve(root, file)
  if (!parsed.has(path))
    parsed.set(path, ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true))
  return parsed.get(path)
}

/** The sources below a folder: all but tests and what only they need. */
export const sourcesBelow = (folder) =>
  filesBelow(folder, ".ts").filter((file) => !/\.(test|cases|test-d)\.ts$/.test(file))

/** A node and everything in it, from the outside in. */
export function* nodesIn(node) {
  yield node
  for (const child of childrenOf(node)) yield* nodesIn(child)
}

function childrenOf(node) {
  const children = []
  ts.forEachChild(node, (child) => void children.push(child))
  return children
}

/** The doc comment directly above a node: its lines without stars, as they are indented. Undefined without one. */
export function docOf(node) {
  const text = node.getSourceFile().text
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []
  const last = ranges.findLast(({ kind }) => kind === ts.SyntaxKind.MultiLineCommentTrivia)
  if (last === undefined || !text.startsWith("/**", last.pos)) return undefined
  return text
    .slice(last.pos + 3, last.end - 2)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim()
}

/** A doc comment as its sentences and its example: what comes after `@example`, or is indented by four. */
export function splitDoc(doc) {
  const [before, ...tagged] = doc.split(/^@example\n?/m)
  const lines = before.split("\n")
  const indented = lines.filter((line) => line.startsWith("    ")).map((line) => line.slice(4))
  const prose = lines.filter((line) => !line.startsWith("    "))
  const example = [...indented, ...tagged].join("\n").trimEnd()
  return { prose: prose.join(" ").replace(/\s+/g, " ").trim(), example }
}

/** `from` as an import in `file` writes it, as a path of the repository. */
const resolved = (file, from) => join(dirname(resolve(root, file)), from)

/**
 * Every name that a module exports, with the declarations behind it, followed through files.
 * `[{ name, isType, file, nodes }]`
 */
export function exportsOf(file) {
  const source = parse(file)
  const found = []
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement) && statement.moduleSpecifier) {
      const inner = exportsOf(resolved(file, statement.moduleSpecifier.text))
      if (statement.exportClause === undefined) found.push(...inner)
      else
        for (const { name, propertyName } of statement.exportClause.elements) {
          const behind = inner.find((one) => one.name === (propertyName ?? name).text)
          if (behind === undefined) throw new Error(`${file}: ${name.text} is not found`)
          found.push({ ...behind, name: name.text })
        }
    } else if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      const names = ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map(({ name }) => name.getText())
        : [statement.name.text]
      for (const name of names) {
        const known = found.find((one) => one.name === name && one.file === source.fileName)
        if (known) known.nodes.push(statement)
        else found.push({ name, file: source.fileName, nodes: [statement] })
      }
    }
  }
  return found
}

/** A class or interface by its name. */
export const typeIn = (file, name) => parse(file).statements.find((one) => one.name?.text === name)

/** The public members of a class or interface: `{ name, signature, doc }`, overloads joined. */
export function membersOf(node) {
  const members = new Map()
  for (const member of node.members) {
    const name = member.name?.getText()
    if (name === undefined || /^["[#~]/.test(name) || !isPublic(member)) continue
    const body = member.body
    const start = member.getStart()
    const text = node.getSourceFile().text.slice(start, body?.getStart() ?? member.end)
    const signature = text
      .replace(/\s+/g, " ")
      .replace(/^(readonly|override) /, "")
      .replace(/;$/, "")
      .trim()
    const known = members.get(name)
    if (known === undefined) members.set(name, { name, signatures: [signature], doc: docOf(member), node: member })
    else if (body === undefined || !ts.isMethodDeclaration(member)) known.signatures.push(signature)
  }
  return [...members.values()]
}

const isPublic = (member) =>
  !member.modifiers?.some(({ kind }) =>
    [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.DeclareKeyword].includes(kind),
  ) && !ts.isConstructorDeclaration(member)
