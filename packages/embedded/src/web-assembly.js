/* WebAssembly as far as it is used here. Its types otherwise come only with a
 * browser's library, which this package must not ask of its users. */

/**
 * @typedef {object} WasmModule a compiled module: it can be sent to another thread
 *
 * @typedef {object} WasmInstance
 * @property {object} exports
 *
 * @typedef {object} WebAssembly
 * @property {(bytes: Uint8Array) => Promise<WasmModule>} compile
 * @property {new (module: WasmModule, imports: object) => WasmInstance} Instance
 * @property {new (type: { parameters: string[] }) => object} Tag
 */

export const { compile, Instance, Tag } = /** @type {WebAssembly} */ (Reflect.get(globalThis, "WebAssembly"))
