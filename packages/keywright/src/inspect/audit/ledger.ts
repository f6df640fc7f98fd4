/* The findings so far: each place once, counted all, kept up to a limit. */

import type { Finding } from "../finding.ts"

export class Ledger {
  readonly findings: Finding[] = []
  readonly summary: Record<string, number> = {}
  readonly #places = new Map<string, number>()
  readonly #limit: number
  readonly #onFinding: ((finding: Finding) => void) | undefined

  constructor(limit: number, onFinding: ((finding: Finding) => void) | undefined) {
    this.#limit = limit
    this.#onFinding = onFinding
  }

  add(finding: Finding, identity: string, knows = false): void {
    const known = this.#places.get(identity)
    if (known !== undefined) {
      if (knows) this.findings[known] = finding
      return
    }
    this.summary[finding.code] = (this.summary[finding.code] ?? 0) + 1
    this.#onFinding?.(finding)
    if (this.findings.length >= this.#limit) return
    this.#places.set(identity, this.findings.length)
    this.findings.push(finding)
  }
}
