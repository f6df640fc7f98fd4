/* The findings so far: each place once; all are counted, and those that are wanted are
 * kept up to a limit. */

import type { Finding } from "./finding.ts"

const NOT_KEPT = -1

export class Ledger {
  readonly findings: Finding[] = []
  readonly summary: Record<string, number> = {}
  readonly #places = new Map<string, number>()
  readonly #limit: number
  readonly #onFinding: ((finding: Finding) => void) | undefined
  readonly #keep: (finding: Finding) => boolean

  constructor(
    limit: number,
    onFinding: ((finding: Finding) => void) | undefined,
    keep: (finding: Finding) => boolean = () => true,
  ) {
    this.#limit = limit
    this.#onFinding = onFinding
    this.#keep = keep
  }

  add(finding: Finding, identity: string, knowsFix = false): void {
    const known = this.#places.get(identity)
    if (known !== undefined) {
      if (knowsFix && known !== NOT_KEPT) this.findings[known] = finding
      return
    }
    this.summary[finding.code] = (this.summary[finding.code] ?? 0) + 1
    this.#onFinding?.(finding)
    const isKept = this.#keep(finding)
    if ((isKept ? this.findings.length : this.#places.size) >= this.#limit) return
    this.#places.set(identity, isKept ? this.findings.length : NOT_KEPT)
    if (isKept) this.findings.push(finding)
  }
}
