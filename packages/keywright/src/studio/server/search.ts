/* One box that finds everything: patterns, entities, fields, words of the docs, codes
 * of findings, and keys that are spelled exactly or by an id. */

import { SAFE } from "../../driver/safe.ts"
import { findingCodes } from "../../inspect/audit/finding-codes.ts"
import { spellSafely } from "../../inspect/model/spell.ts"
import type { SearchHit } from "../api.ts"
import type { OpenSystem } from "./open-system.ts"

interface RankedHit {
  readonly rank: number
  readonly hit: SearchHit
}

/**
 * The best first. Where a key may be, the servers are asked with EXISTS; a server that does not answer
 * counts as having none.
 */
export async function search(systems: readonly OpenSystem[], text: string, limit: number): Promise<SearchHit[]> {
  const wanted = text.trim()
  if (wanted === "") return []
  const words = wanted.toLowerCase().split(/\s+/)
  const keys = await Promise.all(systems.map((system) => keysNamed(system, wanted).catch(() => [])))
  const found = [...keys.flat(), ...systems.flatMap((system) => [...inSchema(system, words)]), ...inCodes(words)]
  return found
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .map(({ hit }) => hit)
}

/** Above 0 when every word is there: more for a name than for a remark, more for a beginning. */
function rankOf(words: readonly string[], names: readonly string[], remarks: readonly (string | undefined)[]): number {
  const [inNames, inRemarks] = [names, remarks].map((texts) => texts.filter(Boolean).map((one) => one!.toLowerCase()))
  let rank = 0
  for (const word of words) {
    const best = Math.max(
      0,
      ...inNames!.map((name) => (name === word ? 8 : name.startsWith(word) ? 5 : name.includes(word) ? 3 : 0)),
      ...inRemarks!.map((remark) => (remark.includes(word) ? 1 : 0)),
    )
    if (best === 0) return 0
    rank += best
  }
  return rank / words.length
}

function* inSchema(system: OpenSystem, words: readonly string[]): Generator<RankedHit> {
  const named = { system: system.name }
  for (const section of system.page.sections) {
    const rank = section.kind === "entity" ? rankOf(words, [section.name], [section.doc]) : 0
    const doc = section.doc === undefined ? {} : { text: section.doc }
    if (rank > 0) yield { rank: rank + 0.5, hit: { what: "entity", ...named, name: section.name, ...doc } }
    for (const key of section.keys) {
      const { name, pattern, type } = key
      const own = rankOf(words, [name, pattern, ...pattern.split(/[:{}_-]/)], [key.doc, key.type, section.title])
      const { db } = system.rowNamed(name)
      const text = key.doc === undefined ? {} : { text: key.doc }
      if (own > 0) yield { rank: own, hit: { what: "pattern", ...named, name, pattern, db, type, ...text } }
      for (const part of [...key.params, ...key.parts]) {
        const rank = rankOf(words, [part.name], [`${name} ${part.type}`]) - 0.5
        if (rank > 0) yield { rank, hit: { what: "field", ...named, name, pattern, field: part.name, type: part.type } }
      }
    }
  }
}

function* inCodes(words: readonly string[]): Generator<RankedHit> {
  for (const [code, { title, why }] of Object.entries(findingCodes)) {
    const rank = rankOf(words, [code, ...code.split(/[._]/)], [title, why]) - 0.7
    if (rank > 0) yield { rank, hit: { what: "finding", code, text: title } }
  }
}

const MOST_ASKED = 60

/** The key that is spelled so, and records with such an id. */
async function keysNamed(system: OpenSystem, text: string): Promise<RankedHit[]> {
  const places: { db: number; key: string; rank: number }[] = []
  for (const { db } of system.databases) places.push({ db, key: text, rank: 20 })
  for (const { record, idField } of system.model.entities.values()) {
    if (record.params.length !== 1 || !fits(record.declared.params[idField]!.decode, text)) continue
    const key = spellSafely(record, { [idField]: text })
    if (key !== undefined) places.push({ db: record.db, key, rank: 10 })
  }
  for (const row of system.model.keys.values()) {
    const [param] = row.params
    if (row.toolkit || row.declared.entity !== undefined || row.params.length !== 1) continue
    if (row.declared.params[param!]?.id === undefined || !fits(row.declared.params[param!]!.decode, text)) continue
    const key = spellSafely(row, { [param!]: text })
    if (key !== undefined) places.push({ db: row.db, key, rank: 9 })
  }
  const asked = places.filter(({ db, key }) => !system.isGuess(db, key)).slice(0, MOST_ASKED)
  const types = await Promise.all(asked.map(({ db, key }) => system.driverOf(db).send(["TYPE", key], SAFE)))
  return asked.flatMap(({ db, key, rank }, i) => {
    const type = String(types[i])
    return type === "none"
      ? []
      : [{ rank, hit: { what: "key", system: system.name, link: system.link(db, key), type } as const }]
  })
}

function fits(decode: (text: string) => unknown, text: string): boolean {
  try {
    decode(text)
    return true
  } catch {
    return false // It is not such an id.
  }
}
