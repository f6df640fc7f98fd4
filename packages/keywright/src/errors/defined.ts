/** Only what is given: for options and fields that may not be there as undefined. */
export const defined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    readonly [N in keyof T]?: Exclude<T[N], undefined>
  }
