/* Tables from the sources: the methods of a kind with what they send and cost, the options of a call. */

import { docOf, membersOf, parse, splitDoc, ts, typeIn } from "./read-source.mjs"
import { escape } from "./errors.mjs"

const src = "packages/keywright/src/"

/** `methods client/kinds/zset.ts ZsetHandle` */
export function methodsPart(file, type) {
  const words = new Words(src + file, type)
  const rows = membersOf(typeIn(src + file, type))
    .filter(({ name }) => !["toString", "toJSON"].includes(name))
    .map(({ doc = "", node }) => {
      const { sends, cost, gives } = readDoc(splitDoc(doc).prose)
      return `| ${code(words.signature(node))} | ${[sends, cost].filter(Boolean).map(cell).join("<br>")} | ${cell(gives)} |`
    })
  const options = [...words.options].map(([name, { type, doc }]) => `| ${code(name)} | ${code(type)} | ${cell(doc)} |`)
  return [
    "| Method | Sends, and its cost | What it does |",
    "|---|---|---|",
    ...rows,
    ...(options.length === 0 ? [] : ["", "| Option | Type | What it does |", "|---|---|---|", ...options]),
  ].join("\n")
}

/** Readable names for the type parameters of a handle. */
const meanings = {
  StringHandle: { R: "value", W: "value" },
  CounterHandle: { R: "number", W: "number" },
  HashHandle: { R: "record", W: "record" },
  MapHandle: { RF: "field", WF: "field", RV: "value", WV: "value" },
  ListHandle: { R: "item", W: "item" },
  SetHandle: { R: "member", W: "member" },
  ZsetHandle: { R: "member", W: "member", RS: "score", WS: "score" },
  StreamHandle: { R: "fields", W: "fields" },
  HyperloglogHandle: { W: "member" },
  GeoHandle: { R: "member", W: "member" },
  EntityClient: { R: "record", W: "record" },
}

/** The notes that every call takes, which the guide explains once. */
const COMMON = ["signal", "timeoutMs", "operationId", "ttl", "onUndecodable"]

/** Signatures without what only the compiler needs; what a last argument may hold is collected in `options`. */
class Words {
  options = new Map()

  constructor(file, type) {
    this.source = parse(file)
    this.means = meanings[type] ?? {}
  }

  signature(node) {
    if (node.parameters === undefined) return node.name.getText()
    const given = node.parameters.map((parameter) => this.#parameter(parameter)).filter((text) => text !== "")
    const returns = node.type ? this.#plain(node.type.getText().replace(/^Promise<([^]*)>$/, "$1")) : ""
    const shown = returns === "" || returns === "void" ? "" : ` → ${returns}`
    return `${node.name.getText()}(${given.join(", ")})${shown}`
  }

  #parameter({ name, type, questionToken, initializer, dotDotDotToken }) {
    const label = name.getText()
    if (/^(notes|options)$/.test(label) || ts.isObjectBindingPattern(name)) {
      if (type === undefined) return ""
      const own = this.#properties(type).filter(([name]) => !COMMON.includes(name))
      for (const [name, told] of own) if (!this.options.has(name)) this.options.set(name, told)
      return own.length === 0 ? "" : `{ ${own.map(([name]) => `${name}?`).join(", ")} }${questionToken ? "?" : ""}`
    }
    const plain = this.#plain(type?.getText() ?? (ts.isStringLiteral(initializer) ? "string" : "number"))
    const open = questionToken || initializer ? "?" : ""
    if (dotDotDotToken) return `...${label}`
    return plain === label || plain.startsWith("(") ? `${label}${open}` : `${label}${open}: ${plain}`
  }

  /** Type parameters replaced by readable names, and without what is only for the compiler. */
  #plain(text) {
    return text
      .replace(/\b[A-Z]{1,2}\b/g, (letter) => this.means[letter] ?? letter)
      .replace(/\breadonly /g, "")
      .replace(/AsyncIterable<(.*)>/, "for await: $1")
      .replace(/Iterable<\[member: member, score: score\]>/, "[member, score][]")
      .replace(/Iterable<\[([^\]]+)\]>/, "[$1][]")
      .replace(/(\w+): \1\b/g, "$1")
      .replace(/(ScoreBound|LexBound|GeoArea|StreamEntry|SetOf|GeoFound|Name)<\w+>/g, "$1")
      .replace(/\s+/g, " ")
  }

  /** What a type of notes holds, by name: interfaces of this file and literals; those of other files are the common ones. */
  #properties(type) {
    return this.#membersOf(type).map((member) => [
      member.name.getText(),
      { type: this.#plain(member.type?.getText() ?? ""), doc: splitDoc(docOf(member) ?? "").prose },
    ])
  }

  #membersOf(type) {
    if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((one) => this.#membersOf(one))
    if (ts.isTypeLiteralNode(type)) return type.members
    return ts.isTypeReferenceNode(type) ? this.#interface(type.typeName.getText()) : []
  }

  #interface(name) {
    const found = this.source.statements.find((one) => one.name?.text === name)
    if (found !== undefined && ts.isTypeAliasDeclaration(found)) return this.#membersOf(found.type)
    if (found === undefined || !ts.isInterfaceDeclaration(found)) return []
    const inherited = (found.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap(({ expression }) => [...this.#interface(expression.getText())]),
    )
    return [...found.members, ...inherited]
  }
}

/** `"ZADD, O(log n): true when …"` → what is sent, its cost, the rest. */
function readDoc(prose) {
  const match = /^([A-Z][^:.]*?), (O\((?:[^()]|\([^()]*\))*\)[^:.;]*)(?:[:.;]\s*(.*))?$/s.exec(prose)
  if (match !== null) return { sends: match[1], cost: match[2], gives: sentence(match[3] ?? "") }
  const plain = /^([A-Z]{3,}[A-Z ]*(?: or [A-Z]+)?)[:.]\s*(.*)$/s.exec(prose)
  if (plain !== null) return { sends: plain[1], cost: "", gives: sentence(plain[2]) }
  return { sends: "", cost: "", gives: prose }
}

const sentence = (text) => (text === "" ? "" : text.charAt(0).toUpperCase() + text.slice(1))

/** The properties of interfaces, of those that it extends too: `options client/connect.ts ConnectOptions …` */
export function optionsPart(...places) {
  const rows = []
  for (let i = 0; i < places.length; i += 2)
    for (const { name, signatures, doc = "" } of membersOf(typeIn(src + places[i], places[i + 1]))) {
      const type = signatures[0].replace(/^[\w$"]+\??:? ?/, "")
      rows.push(`| ${code(name)} | ${code(type)} | ${cell(splitDoc(doc).prose)} |`)
    }
  return ["| Option | Type | What it does |", "|---|---|---|", ...rows].join("\n")
}

/** The doc comments of constants and functions: `declarations schema/codec/number.ts int float` */
export function declarationsPart(file, ...names) {
  const rows = names.map((name) => {
    const node = typeIn(src + file, name)
    return `| ${code(name)} | ${cell(splitDoc(docOf(node) ?? "").prose)} |`
  })
  return ["| Name | What it is |", "|---|---|", ...rows].join("\n")
}

const code = (text) => `\`${text.replaceAll("|", "\\|")}\``
const cell = (text) => escapeOutsideCode(text).replaceAll("|", "\\|")
const escapeOutsideCode = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 ? part : escape(part)))
    .join("")
