/** @import { Admin } from "./admin.js" */

/** Commands that cannot work without fork() or a second server. Valkey would answer "ERR", or "OK". */
const IMPOSSIBLE = ["bgsave", "bgrewriteaof", "replicaof", "slaveof", "sync", "psync", "failover"]
/** As many as there are descriptors for. */
const MOST_CLIENTS = 6000
/** WebAssembly has room for 4 GB. What is left serves fragmentation, and one more value of the largest size (512 MB). */
const MAX_MEMORY = "2560mb"
/** A client that asks for much and reads nothing would take all the memory there is. A server has no limit here, but
 * more memory. `maxmemory-clients` would limit them all together, and costs each command a twentieth. */
const OUTPUT_LIMIT = "normal 1gb 0 0"
/** As in a server as it comes. */
const BUSY_MS = 5000

/** What cannot be given to the server at its start.
 * @param {Admin} admin @param {number} patienceMs */
export function configure(admin, patienceMs) {
  admin.ask(["ACL", "SETUSER", "default", ...IMPOSSIBLE.map((name) => `-${name}`)])
  set("stop-writes-on-bgsave-error", "no")
  set("maxclients", MOST_CLIENTS)
  set("maxmemory", MAX_MEMORY)
  set("client-output-buffer-limit", OUTPUT_LIMIT)
  // A script that is about to be ended for good can be ended by SCRIPT KILL before that.
  set("busy-reply-threshold", Math.max(1, Math.min(BUSY_MS, Math.floor(patienceMs / 2))))
  // Fetching keys ahead into the processor's cache costs a tenth of the speed, and WebAssembly cannot do it.
  set("prefetch-batch-max-size", 0)
  // Without this, large replies are kept by reference and escape client-output-buffer-limit, as in Valkey 9.1 itself.
  set("min-string-size-avoid-copy-reply", 0)

  /** @param {string} name @param {string | number} value */
  function set(name, value) {
    admin.ask(["CONFIG", "SET", name, String(value)])
  }
}
