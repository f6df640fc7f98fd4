/* References to keys, as they appear in URLs and answers. The first character says which
 * kind it is:
 *
 *   k…   the key itself, base64url: it survives a restart, so links can be kept
 *   ~…   sealed (AES-GCM under a key of this process): the key holds a secret
 *   .…   the digest of a very long key, which is kept here while there is room
 *
 * The same key always has the same reference: the nonce is a MAC of what is sealed. What is said about a value (which
 * element it is, how it was seen) is sealed for its place and opened only there: it does not help to guess a secret,
 * does not show that two of them are the same, and cannot be shown as the name of a key. */

import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto"
import type { Wire } from "../../driver/driver.ts"
import { refRefused } from "../../errors/studio.ts"
import { asWire, showWire } from "../../inspect/walk/wire.ts"

const LONGEST = 3000
const MOST_KEPT = 1000
const [NONCE, TAG] = [12, 16]
/** What keys are sealed for. */
const KEYS = "keys"

export class Refs {
  readonly #key = randomBytes(32)
  readonly #mac = randomBytes(32)
  readonly #kept = new Map<string, Buffer>()

  /** `shown` is the key as it may be printed: where that hides something, the reference is sealed. */
  of(key: Wire, shown: string): string {
    const bytes = Buffer.from(key)
    if (bytes.length > LONGEST) return this.#keep(bytes)
    return shown === showWire(key) ? `k${bytes.toString("base64url")}` : this.seal(bytes)
  }

  /** For what is at a place: only `openAt` the same place opens it. */
  seal(bytes: Uint8Array, place = KEYS): string {
    const nonce = createHmac("sha256", this.#mac).update(`${place}\0`).update(bytes).digest().subarray(0, NONCE)
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
    return `~${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`
  }

  /** Throws for what is not sealed, or for another place. */
  openAt(place: string, ref: string): Wire {
    if (!ref.startsWith("~")) throw refRefused()
    const bytes = bytesIn(ref)
    if (bytes.length < NONCE + TAG) throw refRefused()
    const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
    try {
      return asWire(Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]))
    } catch {
      throw refRefused() // Not ours, of another process, or of another place.
    }
  }

  /** The key; throws for what this process did not make. */
  open(ref: string): Wire {
    if (ref.startsWith("~")) return this.openAt(KEYS, ref)
    if (!ref.startsWith(".")) return openPlain(ref)
    const kept = this.#kept.get(ref.slice(1))
    if (kept === undefined) throw refRefused()
    return asWire(kept)
  }

  #keep(bytes: Buffer): string {
    const digest = createHash("sha256").update(this.#mac).update(bytes).digest("base64url")
    this.#kept.delete(digest)
    this.#kept.set(digest, bytes)
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    return `.${digest}`
  }
}

/** What anybody can read in a reference; throws where it is anything else. */
export function openPlain(ref: string): Wire {
  if (!ref.startsWith("k")) throw refRefused()
  return asWire(bytesIn(ref))
}

function bytesIn(ref: string): Buffer {
  const text = ref.slice(1)
  const bytes = Buffer.from(text, "base64url")
  if (bytes.toString("base64url") !== text) throw refRefused()
  return bytes
}
