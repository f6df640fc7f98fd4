/* The module as it is published answers getpeername() and getsockname() with nothing:
 * all clients would have the same empty address, and CLIENT KILL ADDR "" would end
 * every one of them. Here the two functions get another body, which asks the host: a
 * call of its read or write with the sign bit set in the descriptor (see
 * worker/connections.js), because an import of its own would renumber every function.
 *
 * Nothing else in the module is touched. A build without functions of these names is
 * left as it is. */

const SECTION = { custom: 0, import: 2, code: 10 } as const
const FUNCTION_NAMES = 1
const KIND = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const
const OP = { end: 0x0b, call: 0x10, localGet: 0x20, constant: 0x41, or: 0x72 } as const
/** -2^31 as WebAssembly writes it. */
const SIGN_BIT = [0x80, 0x80, 0x80, 0x80, 0x78]

interface Section {
  readonly id: number
  readonly start: number
  readonly end: number
}

/** Returns the module with the two functions replaced. */
export function giveAddresses(module: Uint8Array): Uint8Array<ArrayBuffer> {
  const sections = readSections(module)
  const code = sections.find(({ id }) => id === SECTION.code)
  const imports = readImports(module, sections)
  const names = readFunctionNames(module, sections)
  const bodies = new Map<number, number[]>()
  for (const [name, host] of [
    ["getpeername", "read"],
    ["getsockname", "write"],
  ] as const) {
    const target = imports.indexOf(`host.${host}`)
    const replaced = names.get(name)
    if (target >= 0 && replaced !== undefined) bodies.set(replaced - imports.length, askingHost(target))
  }
  if (!code || bodies.size === 0) return Uint8Array.from(module)
  const section = replaceBodies(module.subarray(code.start, code.end), bodies)
  return concat([
    module.subarray(0, headerOf(module, sections, code)),
    Uint8Array.from([SECTION.code, ...leb(section.length)]),
    section,
    module.subarray(code.end),
  ])
}

/** `(fd, address, length) => host(fd | sign bit, address, length)` */
function askingHost(host: number): number[] {
  const { localGet, constant, or, call, end } = OP
  const body = [0, localGet, 0, constant, ...SIGN_BIT, or, localGet, 1, localGet, 2, call, ...leb(host), end]
  return [...leb(body.length), ...body]
}

/** Where a section begins, with its number and length: where the one before it ends. */
function headerOf(module: Uint8Array, sections: readonly Section[], section: Section): number {
  return sections[sections.indexOf(section) - 1]?.end ?? Math.min(8, module.length)
}

function replaceBodies(section: Uint8Array, bodies: ReadonlyMap<number, readonly number[]>): Uint8Array {
  const reader = new Reader(section)
  const count = reader.number()
  const parts: Uint8Array[] = [section.subarray(0, reader.at)]
  let kept = reader.at
  for (let index = 0; index < count; index++) {
    const start = reader.at
    const length = reader.number()
    reader.at += length
    const body = bodies.get(index)
    if (!body) continue
    parts.push(section.subarray(kept, start), Uint8Array.from(body))
    kept = reader.at
  }
  return concat([...parts, section.subarray(kept)])
}

function readSections(module: Uint8Array): Section[] {
  const reader = new Reader(module, 8)
  const sections: Section[] = []
  while (reader.at < module.length) {
    const id = reader.byte()
    const length = reader.number()
    sections.push({ id, start: reader.at, end: reader.at + length })
    reader.at += length
  }
  return sections
}

/** The imported functions, in the order of their numbers. */
function readImports(module: Uint8Array, sections: readonly Section[]): string[] {
  const section = sections.find(({ id }) => id === SECTION.import)
  if (!section) return []
  const reader = new Reader(module, section.start)
  const functions: string[] = []
  for (let left = reader.number(); left > 0; left--) {
    const name = `${reader.text()}.${reader.text()}`
    const kind = reader.byte()
    if (kind === KIND.function) {
      functions.push(name)
      reader.number()
    } else if (kind === KIND.tag) reader.skip(1, 1)
    else if (kind === KIND.global) reader.skip(2, 0)
    else reader.limits(kind === KIND.table)
  }
  return functions
}

function readFunctionNames(module: Uint8Array, sections: readonly Section[]): Map<string, number> {
  const names = new Map<string, number>()
  for (const { id, start, end } of sections) {
    const reader = new Reader(module, start)
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

  skip(bytes: number, numbers: number): void {
    this.at += bytes
    for (let left = numbers; left > 0; left--) this.number()
  }

  limits(typed: boolean): void {
    if (typed) this.byte()
    const bounded = (this.byte() & 1) === 1
    this.skip(0, bounded ? 2 : 1)
  }
}

function leb(value: number): number[] {
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
