/* WebAssembly's binary format, as far as needed to replace the body or type of a module's
 * functions. Functions are found by the names that the module carries for debuggers; a
 * module without names has none to find, and stays as it is. Nothing else in the module
 * is touched. */

const SECTION = { custom: 0, type: 1, import: 2, function: 3, code: 10 } as const
const FUNCTION_NAMES = 1
const FUNCTION_TYPE = 0x60
const KIND = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const
/** The magic number and the version. */
const HEADER_BYTES = 8

interface Section {
  readonly id: number
  /** The position of its number, before its length and content. */
  readonly header: number
  readonly start: number
  readonly end: number
}

interface Replacement {
  readonly body: readonly number[]
  readonly type: number | undefined
}

export class WasmBinary {
  /** The imported functions, as `module.name`, in the order of their numbers. */
  readonly imports: readonly string[]
  readonly #module: Uint8Array
  readonly #sections: readonly Section[]
  readonly #names: ReadonlyMap<string, number>
  readonly #replaced = new Map<number, Replacement>()

  constructor(module: Uint8Array) {
    this.#module = module
    this.#sections = readSections(module)
    this.imports = this.#readImports()
    this.#names = this.#readNames()
  }

  /** The number of a function that is not imported. */
  find(name: string): number | undefined {
    const found = this.#names.get(name)
    return found === undefined || found < this.imports.length ? undefined : found
  }

  /** The number of a type, written as `"i32 i32 -> i32"`. */
  findType(written: string): number | undefined {
    const found = this.#readTypes().indexOf(written)
    return found < 0 ? undefined : found
  }

  /** The number of a function's type. */
  typeOf(index: number): number | undefined {
    return this.#readFunctionTypes()[index - this.imports.length]
  }

  /** A function's locals and instructions, up to and without the last `end`. */
  bodyOf(index: number): { readonly locals: readonly number[]; readonly instructions: readonly number[] } {
    const reader = this.#reader(SECTION.code)
    reader.number()
    for (let left = index - this.imports.length; left > 0; left--) reader.skip(reader.number())
    const end = reader.number() + reader.at
    const start = reader.at
    for (let left = reader.number(); left > 0; left--) {
      reader.number()
      reader.skip(1)
    }
    return {
      locals: [...this.#module.subarray(start, reader.at)],
      instructions: [...this.#module.subarray(reader.at, end - 1)],
    }
  }

  /** Gives a function another body, its locals included, and another type if one is named. */
  replace(index: number, body: readonly number[], type?: number): void {
    this.#replaced.set(index - this.imports.length, { body, type })
  }

  /** The module with what was replaced. */
  bytes(): Uint8Array<ArrayBuffer> {
    const parts = [this.#module.subarray(0, HEADER_BYTES)]
    for (const section of this.#sections) {
      const content = this.#rewritten(section)
      parts.push(
        ...(content
          ? [Uint8Array.from([section.id, ...leb(content.length)]), content]
          : [this.#module.subarray(section.header, section.end)]),
      )
    }
    return concat(parts)
  }

  #rewritten({ id, start, end }: Section): Uint8Array | undefined {
    if (this.#replaced.size === 0) return undefined
    if (id === SECTION.code) return replaceBodies(this.#module.subarray(start, end), this.#replaced)
    if (id !== SECTION.function) return undefined
    const types = this.#readFunctionTypes().map((type, at) => this.#replaced.get(at)?.type ?? type)
    return Uint8Array.from([types.length, ...types].flatMap(leb))
  }

  /** At the start of a section; of one that the module does not have, at the end of everything, where all is 0. */
  #reader(id: number): Reader {
    return new Reader(this.#module, this.#sections.find((section) => section.id === id)?.start ?? this.#module.length)
  }

  #readTypes(): string[] {
    const reader = this.#reader(SECTION.type)
    const types: string[] = []
    for (let left = reader.number(); left > 0; left--) {
      // Types of other kinds are not known here, nor how long they are.
      if (reader.byte() !== FUNCTION_TYPE) return types
      types.push(`${reader.valueTypes()} -> ${reader.valueTypes()}`.trim())
    }
    return types
  }

  #readFunctionTypes(): number[] {
    const reader = this.#reader(SECTION.function)
    return Array.from({ length: reader.number() }, () => reader.number())
  }

  #readImports(): string[] {
    const reader = this.#reader(SECTION.import)
    const functions: string[] = []
    for (let left = reader.number(); left > 0; left--) {
      const name = `${reader.text()}.${reader.text()}`
      const kind = reader.byte()
      if (kind === KIND.function) {
        functions.push(name)
        reader.number()
      } else if (kind === KIND.tag) {
        reader.skip(1)
        reader.number()
      } else if (kind === KIND.global) reader.skip(2)
      else reader.limits(kind === KIND.table)
    }
    return functions
  }

  #readNames(): Map<string, number> {
    const names = new Map<string, number>()
    for (const { id, start, end } of this.#sections) {
      const reader = new Reader(this.#module, start)
      if (id !== SECTION.custom || reader.text() !== "name") continue
      while (reader.at < end) {
        const kind = reader.byte()
        const next = reader.number() + reader.at
        if (kind === FUNCTION_NAMES) {
          for (let left = reader.number(); left > 0; left--) {
            const index = reader.number()
            names.set(reader.text(), index)
          }
        }
        reader.at = next
      }
    }
    return names
  }
}

function readSections(module: Uint8Array): Section[] {
  const reader = new Reader(module, HEADER_BYTES)
  const sections: Section[] = []
  while (reader.at < module.length) {
    const header = reader.at
    const id = reader.byte()
    const length = reader.number()
    sections.push({ id, header, start: reader.at, end: reader.at + length })
    reader.skip(length)
  }
  return sections
}

function replaceBodies(section: Uint8Array, replaced: ReadonlyMap<number, Replacement>): Uint8Array {
  const reader = new Reader(section)
  const count = reader.number()
  const parts: Uint8Array[] = []
  let kept = 0
  for (let index = 0; index < count; index++) {
    const start = reader.at
    reader.skip(reader.number())
    const replacement = replaced.get(index)
    if (!replacement) continue
    const { body } = replacement
    parts.push(section.subarray(kept, start), Uint8Array.from([...leb(body.length), ...body]))
    kept = reader.at
  }
  return concat([...parts, section.subarray(kept)])
}

const VALUE_TYPES = new Map([
  [0x7f, "i32"],
  [0x7e, "i64"],
  [0x7d, "f32"],
  [0x7c, "f64"],
])

class Reader {
  at: number
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0
  }

  /** An unsigned LEB128 number of at most 32 bits. */
  number(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }

  text(): string {
    const length = this.number()
    this.at += length
    return Buffer.from(this.#bytes.subarray(this.at - length, this.at)).toString()
  }

  valueTypes(): string {
    return Array.from({ length: this.number() }, () => VALUE_TYPES.get(this.byte()) ?? "other").join(" ")
  }

  skip(bytes: number): void {
    this.at += bytes
  }

  limits(typed: boolean): void {
    if (typed) this.byte()
    const bounded = (this.byte() & 1) === 1
    this.number()
    if (bounded) this.number()
  }
}

/** An unsigned number as LEB128. */
export function leb(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
