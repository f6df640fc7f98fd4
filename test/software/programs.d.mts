export interface Program {
  readonly kind: "node" | "python"
  /** The patterns that its authors had in mind, anonymous, and the type of each: `"bull:{}:wait list"`. */
  readonly patterns: readonly string[]
}
export const programs: Readonly<Record<string, Program>>
export const npmPackages: readonly string[]
export const debianPackages: readonly string[]
