/* Recognising clients of other libraries by what they can do. */

export const hasMethods = (value: object, ...methods: string[]): boolean =>
  methods.every((name) => typeof (value as Record<string, unknown>)[name] === "function")
