/** Sets a field of a document that is being read; `__proto__` is a field like any other, as for `JSON.parse`. */
export function setField(document: object, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(document, name, { value, enumerable: true, writable: true, configurable: true })
  else (document as Record<string, unknown>)[name] = value
}
