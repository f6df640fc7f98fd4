/* References to keys, as they appear in URLs and answers. The first character says which
 * kind it is:
 *
 *   k…   the key itself, base64url: it survives a restart, so links can be kept
 *   ~…   sealed (AES-GCM under a key of this process): the key holds a secret
 *   .…   the digest of a very long key, which is kept here while there is room
 *
 * The same key always has the same reference: the nonce is a MAC of what is sealed. What is said of a value (which
 * element it is, how it was seen) is sealed together with its place: neither can a secret be guessed by it, nor is it
 * seen that two of them are the same. */

import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto"
import type { Wire } from "../../driver/driver.ts"
import { refRefused } from "../../errors/studio.ts"
import { asWire, showWire } from "../../inspect/walk/wire.ts"

const LONGEST = 3000
const MOST_KEPT = 1000
const [NONCE, TAG, DIGEST] = [12, 16, 32]

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest()

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

  seal(bytes: Uint8Array): string {
    const nonce = createHmac("sha256", this.#mac).update(bytes).digest().subarray(0, NONCE)
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce)
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
    return `~${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`
  }

  /** Of what is at a place. */
  sealAt(place: string, bytes: Uint8Array): string {
    return this.seal(Buffer.concat([digestOf(place), bytes]))
  }

  /** Throws for what is not sealed, or of another place. */
  openAt(place: string, ref: string): Wire {
    const bytes = ref.startsWith("~") ? this.#unseal(Buffer.from(ref.slice(1), "base64url")) : undefined
    if (!bytes?.subarray(0, DIGEST).equals(digestOf(place))) throw refRefused()
    return asWire(bytes.subarray(DIGEST))
  }

  /** Throws for what this process did not make. */
  open(ref: string): Wire {
    const [kind, text] = [ref[0], ref.slice(1)]
    if (kind === ".") {
      const kept = this.#kept.get(text)
      if (kept === undefined) throw refRefused()
      return asWire(kept)
    }
    const bytes = Buffer.from(text, "base64url")
    if (bytes.toString("base64url") !== text) throw refRefused()
    if (kind === "k") return asWire(bytes)
    if (kind === "~") return asWire(this.#unseal(bytes))
    throw refRefused()
  }

  #unseal(bytes: Buffer): Buffer {
    if (bytes.length < NONCE + TAG) throw refRefused()
    const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()])
    } catch {
      throw refRefused() // Not ours, or of another process.
    }
  }

  #keep(bytes: Buffer): string {
    const digest = createHash("sha256").update(this.#mac).update(bytes).digest("base64url")
    this.#kept.delete(digest)
    this.#kept.set(digest, bytes)
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    return `.${digest}`
  }
}
