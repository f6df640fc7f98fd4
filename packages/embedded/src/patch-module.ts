/* What is changed in the module when it is loaded: nine functions, found by their
 * names. A build in which one of them is missing, or is right already, keeps it.
 *
 * getpeername() and getsockname() answer nothing as published: all clients would have the
 * same empty address, and CLIENT KILL ADDR "" would end every one of them. Their new body
 * asks the host: a call of its read or write with the sign bit set in the descriptor (see
 * worker/connections.js), because a new import would renumber every function.
 *
 * VM_FreeModuleUser() returns a number that Valkey's own header does not declare.
 * Processors do not mind; WebAssembly compares types where a function is called through
 * a pointer, and redis.acl_check_cmd() ended in a trap. It now returns nothing.
 *
 * applyTLSPort() and applyTlsCfg() call what a build without TLS does not have: CONFIG
 * SET tls-port would be another trap. updatePort() and applyBind() would have the server
 * listen elsewhere, or nowhere, of which the host knows nothing. All four now refuse what
 * they are asked to apply.
 *
 * commandProcessed() first notifies the host that a command of a client is done: with a
 * read of an invalid descriptor. Otherwise a pipeline of slow commands, which the server
 * reads at once, would look like one that does not end. processEventsWhileBlocked()
 * finally notifies it that others were served during a slow script: what is done after
 * that counts again. */

import { leb, WasmBinary } from "./wasm-binary.ts"

const OP = { block: 0x02, end: 0x0b, call: 0x10, drop: 0x1a, localGet: 0x20, constant: 0x41, or: 0x72 } as const
const I32 = 0x7f
const NO_LOCALS = 0
/** The type of a block without a result. */
const NOTHING = 0x40
/** -1, -2 and -2^31 as WebAssembly writes them: see worker/connections.js. */
const DONE = [0x7f]
const SERVED = [0x7e]
const SIGN_BIT = [0x80, 0x80, 0x80, 0x80, 0x78]

/** Returns the module with these functions as they have to be. */
export function patchModule(module: Uint8Array): Uint8Array<ArrayBuffer> {
  const binary = new WasmBinary(module)
  askHost(binary, "getpeername", "host.read")
  askHost(binary, "getsockname", "host.write")
  returnNothing(binary, "VM_FreeModuleUser")
  for (const name of ["applyTLSPort", "applyTlsCfg", "updatePort", "applyBind"]) refuse(binary, name)
  tellHost(binary, "commandProcessed", ([locals, hostCall, instructions]) => [
    ...locals,
    ...hostCall(DONE),
    ...instructions,
  ])
  tellHost(binary, "processEventsWhileBlocked", ([locals, hostCall, instructions]) => [
    ...locals,
    ...[OP.block, NOTHING, ...instructions, OP.end],
    ...hostCall(SERVED),
  ])
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

/** Returns 0, which is a failure. */
function refuse(binary: WasmBinary, name: string): void {
  const found = binary.find(name)
  if (found === undefined || binary.typeOf(found) !== binary.findType("i32 -> i32")) return
  binary.replace(found, [NO_LOCALS, OP.constant, 0, OP.end])
}

type HostCall = (what: readonly number[]) => readonly number[]
type FunctionParts = readonly [locals: readonly number[], hostCall: HostCall, instructions: readonly number[]]

/** Adds a `host(-1, 0, 0)` or `host(-2, 0, 0)` to a function without a result. */
function tellHost(binary: WasmBinary, name: string, add: (parts: FunctionParts) => readonly number[]): void {
  const host = binary.imports.indexOf("host.read")
  const found = binary.find(name)
  if (host < 0 || found === undefined) return
  const { constant, call, drop, end } = OP
  const hostCall: HostCall = (what) => [constant, ...what, constant, 0, constant, 0, call, ...leb(host), drop]
  const { locals, instructions } = binary.bodyOf(found)
  const text = instructions.join()
  if ([DONE, SERVED].some((what) => text.includes(hostCall(what).join()))) return
  binary.replace(found, [...add([locals, hostCall, instructions]), end])
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
