/* What is changed in the module when it is loaded: three functions, found by their
 * names. A build in which one of them is missing, or is right already, keeps it.
 *
 * getpeername() and getsockname() answer nothing as published: all clients would have
 * the same empty address, and CLIENT KILL ADDR "" would end every one of them. Their
 * new body asks the host: a call of its read or write with the sign bit set in the
 * descriptor (see worker/connections.js), because an import of their own would renumber
 * every function.
 *
 * VM_FreeModuleUser() returns a number that Valkey's own header does not declare.
 * Processors do not mind; WebAssembly compares types where a function is called through
 * a pointer, and redis.acl_check_cmd() ended in a trap. It now returns nothing. */

import { leb, WasmBinary } from "./wasm-binary.ts"

const OP = { block: 0x02, end: 0x0b, call: 0x10, drop: 0x1a, localGet: 0x20, constant: 0x41, or: 0x72 } as const
const I32 = 0x7f
const NO_LOCALS = 0
/** -2^31 as WebAssembly writes it. */
const SIGN_BIT = [0x80, 0x80, 0x80, 0x80, 0x78]

/** Returns the module with the three functions as they have to be. */
export function mendModule(module: Uint8Array): Uint8Array<ArrayBuffer> {
  const binary = new WasmBinary(module)
  askHost(binary, "getpeername", "host.read")
  askHost(binary, "getsockname", "host.write")
  returnNothing(binary, "VM_FreeModuleUser")
  return binary.bytes()
}

/** `(fd, address, length) => host(fd | sign bit, address, length)` */
function askHost(binary: WasmBinary, name: string, imported: string): void {
  const host = binary.imports.indexOf(imported)
  const found = binary.find(name)
  if (host < 0 || found === undefined) return
  const { localGet, constant, or, call, end } = OP
  const asks = [localGet, 0, constant, ...SIGN_BIT, or, localGet, 1, localGet, 2, call, ...leb(host), end]
  binary.replace(found, [NO_LOCALS, ...asks])
}

/** The instructions become a block whose result is dropped: jumps to their end still lead there. */
function returnNothing(binary: WasmBinary, name: string): void {
  const found = binary.find(name)
  const type = binary.findType("i32 ->")
  if (found === undefined || type === undefined || binary.typeOf(found) !== binary.findType("i32 -> i32")) return
  const { locals, instructions } = binary.bodyOf(found)
  const { block, end, drop } = OP
  binary.replace(found, [...locals, block, I32, ...instructions, end, drop, end], type)
}
