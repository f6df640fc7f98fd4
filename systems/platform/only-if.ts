/** Entries or steps that exist in one placement only: the type does not say which. */
export const onlyIf = <T extends object>(isSo: boolean, given: T): T => (isSo ? given : ({} as T))
