/* Every error code, read from the functions that make the errors: its class, its sentences, why and what to do. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../step.mjs"
import { exportsOf, filesBelow, nodesIn, parse, sourcesBelow, ts } from "./read-source.mjs"

const folder = "packages/keywright/src/errors"
const files = () => [
  ...filesBelow(folder, ".ts"),
  "packages/keywright/src/inspect/model/decoding.ts",
  "packages/embedded/src/errors.ts",
]

const publishedSources = () => ["keywright", "embedded"].flatMap((name) => sourcesBelow(`packages/${name}/src`))

const CODE = /^[A-Z][A-Z0-9_]*\.[A-Z][A-Z0-9_]*$/

/** `[{ code, ways: [{ type, message, why, fix }] }]`, by code. */
export function readErrors() {
  const byCode = new Map()
  const add = (code, way) => {
    const ways = byCode.get(code) ?? []
    if (!ways.some(({ message }) => message === way.message)) ways.push(way)
    byCode.set(code, ways)
  }
  for (const node of files().flatMap((file) => [...nodesIn(parse(file))])) {
    const args = (ts.isNewExpression(node) || ts.isCallExpression(node)) && (node.arguments ?? [])
    const at = args ? args.findIndex((one) => ts.isStringLiteral(one) && CODE.test(one.text)) : -1
    if (at < 0) continue
    const isSuper = node.expression.kind === ts.SyntaxKind.SuperKeyword
    const type = isSuper ? ts.findAncestor(node, ts.isClassDeclaration).name.text : node.expression.getText()
    const hints = args[at + 2]
    add(args[at].text, {
      type,
      message: args[at + 1] ? shown(args[at + 1]) : "",
      why: hintIn(hints, "why"),
      fix: hintIn(hints, "fix"),
    })
  }
  for (const [code, way] of [...serverErrors(), ...codecErrors()]) add(code, way)
  for (const [code, ways] of byCode)
    for (const way of ways) if (!way.why && !way.fix) Object.assign(way, inGeneral(code))
  return [...byCode].map(([code, ways]) => ({ code, ways })).sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** The codes of error replies, from the table in driver/server-errors.ts. */
function serverErrors() {
  const nodes = [...nodesIn(parse("packages/keywright/src/driver/server-errors.ts"))]
  const table = nodes.find((node) => ts.isVariableDeclaration(node) && node.name.getText() === "TABLE")
  return table.initializer.properties.map(({ name, initializer }) => {
    const part = (wanted) => initializer.properties.find((one) => one.name.getText() === wanted)?.initializer
    const way = {
      type: part("type").getText(),
      message: "",
      why: part("again") ? "This is temporary: the call was retried until its deadline." : undefined,
      fix: part("fix") && shown(part("fix")),
    }
    return [`SERVER.${name.getText()}`, way]
  })
}

/** `codecRefused("INT", "an integer", raw)`: the value that a codec refuses. */
function codecErrors() {
  return sourcesBelow("packages/keywright/src/schema")
    .flatMap((file) => [...nodesIn(parse(file))])
    .filter((node) => ts.isCallExpression(node) && node.expression.getText() === "codecRefused")
    .filter(({ arguments: [code] }) => ts.isStringLiteral(code))
    .map(({ arguments: [code, expected] }) => [
      `CODEC.${code.text}`,
      { type: "SchemaError", message: `expected ${shown(expected)}, found …` },
    ])
}

/** For the errors of declarations and codecs, which are kept short: they are in every bundle. */
function inGeneral(code) {
  if (code.startsWith("CODEC."))
    return {
      why: "The value does not fit its codec. On a write, it was refused before anything was sent; on a read, it is the cause of a VALUE.UNDECODABLE.",
      fix: "Correct the value, or declare another codec.",
    }
  if (code.startsWith("SERVER.")) return { fix: "The message is the server's own: see the command's documentation." }
  return { fix: "Correct what the message names." }
}

function hintIn(hints, name) {
  if (hints === undefined || !ts.isObjectLiteralExpression(hints)) return undefined
  const property = hints.properties.find((one) => one.name?.getText() === name)
  if (property === undefined || !ts.isPropertyAssignment(property)) return undefined
  return shown(property.initializer)
}

/** A text as people read it: what is filled in is between ‹ ›. */
function shown(node) {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => filled(span.expression) + span.literal.text).join("")
  if (ts.isConditionalExpression(node)) {
    const ways = [...new Set([node.whenTrue, node.whenFalse].map(shown))].filter((way) => way !== "…")
    return ways.join(" — or: ") || "…"
  }
  if (ts.isBinaryExpression(node)) return `${shown(node.left)}${shown(node.right)}`
  if (ts.isParenthesizedExpression(node)) return shown(node.expression)
  return ts.isIdentifier(node) ? `‹${node.text}›` : "…"
}

const filled = (node) => (ts.isIdentifier(node) ? `‹${node.text}›` : "…")

/**
 * The texts that other files give to errors and findings, by the part that they become: what the functions of errors/
 * are called with, `usageRefused("two addresses were given", "Leave one of them out.")`, and every `why: "…"` and `fix: "…"`.
 */
export function textsHandedOver() {
  const texts = { message: [], why: [], fix: [] }
  const places = handedOverTo()
  for (const file of publishedSources())
    for (const node of nodesIn(parse(file))) {
      const parts = ts.isCallExpression(node) ? places.get(node.expression.getText()) : undefined
      for (const [at, part] of parts ?? []) {
        const text = node.arguments[at] && shown(node.arguments[at])
        if (text && !/^‹\w+›$/.test(text)) texts[part].push({ code: `${file}: ${node.expression.getText()}`, text })
      }
      if (ts.isPropertyAssignment(node) && /^(why|fix)$/.test(node.name.getText())) {
        const text = shown(node.initializer)
        if (!/^(‹\w+›|…)$/.test(text)) texts[node.name.getText()].push({ code: file, text })
      }
    }
  return texts
}

/** Which parameters of the functions become `why`, `fix` or a part of the message: by function, `[[at, part]]`. */
function handedOverTo() {
  const places = new Map()
  for (const file of files())
    for (const { name, nodes } of exportsOf(file)) {
      const made = nodes[0].declarationList?.declarations[0].initializer ?? nodes[0]
      const parts = (made?.parameters ?? []).flatMap(({ name: parameter }, at) => {
        const part = /^(why|fix|message)$/.exec(parameter.getText())?.[0]
        return part === undefined ? [] : [[at, isHint(made.body, part) ? part : "message"]]
      })
      if (parts.length > 0) places.set(name, parts)
    }
  return places
}

/** Whether a function hands its parameter of this name on as the hint of that name. */
function isHint(node, name) {
  const isIt =
    (ts.isShorthandPropertyAssignment(node) && node.name.text === name) ||
    (ts.isPropertyAssignment(node) && node.name.getText() === name && node.initializer.getText().includes(`${name}`))
  return isIt || ts.forEachChild(node, (child) => isHint(child, name) || undefined) === true
}

/** Codes that appear anywhere in the sources as the code of an error, for the test that none is missing. */
export function codesInSources() {
  const making =
    /(?:new \w*(?:Error|Refusal|Conflict|NotApplied|OutcomeUnknown|Refused|Undecodable|WrongType)|super)\(\s*(?:\d+, ?)?"([A-Z][A-Z0-9_]*\.[A-Z][A-Z0-9_]*)"/g
  const codes = new Set()
  for (const file of publishedSources())
    for (const [, code] of readFileSync(join(root, file), "utf8").matchAll(making)) codes.add(code)
  return [...codes].sort()
}

const areas = {
  AUDIT: "Audit",
  BACKUP: "Backups",
  BATCH: "Batches",
  CACHE: "Caches",
  CALL: "Calls",
  CHANGE: "Change plans",
  CLI: "The command line",
  CLUSTER: "Clusters",
  CODEC: "Codecs",
  CONNECT: "Connecting",
  DEFINE: "Definitions",
  DIFF: "Comparing schemas",
  DRIVER: "Drivers and connections",
  DURABILITY: "Durability",
  ENGINE: "The embedded engine",
  ENTITY: "Entities",
  EXPORT: "Exports",
  FAMILY: "Families",
  FILE: "Files",
  IMPORT: "Imports",
  INDEX: "Indexes",
  INSPECT: "Inspecting",
  JOB: "Jobs",
  JSON_FORM: "The JSON form",
  KEY: "Keys",
  KEYSPACE: "Keyspaces",
  METRICS: "Metrics",
  OPERATION: "Operation ids",
  PURGE: "Purges",
  RDB: "RDB files",
  RELATION: "Relations",
  SERVER: "What the server answered",
  STEP: "Steps",
  STUDIO: "The studio",
  TESTING: "Testing",
  TRANSACTION: "Transactions",
  TTL: "TTLs",
  VALUE: "Values",
}

export function errorsPart() {
  const errors = readErrors()
  const byArea = new Map()
  for (const one of errors) {
    const area = one.code.split(".")[0]
    byArea.set(area, [...(byArea.get(area) ?? []), one])
  }
  const parts = [`${errors.length} codes, by area.`]
  for (const [area, own] of byArea) {
    parts.push(`## ${areas[area] ?? area.charAt(0) + area.slice(1).toLowerCase()}`)
    for (const { code, ways } of own) parts.push(`### ${code}`, ...ways.map(wayText))
  }
  return parts.join("\n\n")
}

function wayText({ type, message, why, fix }) {
  const lines = [message === "" ? `\`${type}\`` : `\`${type}\`: ${escape(message)}`]
  if (why) lines.push(`**Why** ${escape(why)}`)
  if (fix) lines.push(`**What to do** ${escape(fix)}`)
  return lines.join("\\\n")
}

/** Texts may hold what Markdown or Vue would read. */
export const escape = (text) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("{{", "&#123;&#123;")
    .replaceAll("*", "\\*")
    .replaceAll("_", "\\_")
    .replace(/\s+/g, " ")
