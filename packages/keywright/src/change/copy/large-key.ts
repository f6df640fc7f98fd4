/* A key that spans several lines: written under a temporary name, and renamed when it is
 * complete. What a crash leaves behind expires by itself. */

import { createHash } from "node:crypto"
import { neverKeys, slotTag } from "../../client/call/slot-tag.ts"
import type { Command, Driver, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { KeyDigest } from "./digest.ts"
import { commandsFor } from "./import-line.ts"
import { importMoveScript } from "../lua/index.ts"
import { digestPart, type ValuePart } from "./key-value.ts"
import type { KeyType } from "./lines.ts"
import { requireRestorable } from "./restorable.ts"

const HOUR_MS = "3600000"

export class LargeKey {
  readonly digest: KeyDigest
  /** The digest of the file's version, if what is written differs from it. */
  readonly checked: KeyDigest
  readonly #driver: Driver
  readonly #key: Wire
  readonly #beside: Wire
  #isFirst = true

  constructor(driver: Driver, key: Wire, type: KeyType) {
    this.digest = KeyDigest.of(type, key)
    this.checked = KeyDigest.of(type, key)
    this.#driver = driver
    this.#key = key
    const text = typeof key === "string" ? key : Buffer.from(key).toString("latin1")
    const digest = createHash("sha1").update(text).digest("hex")
    const beside = `keywright:import:${type}:${slotTag(text, driver.cluster) || "{-}:"}${digest}`
    this.#beside = typeof key === "string" ? beside : Buffer.from(beside, "latin1")
  }

  /** A part as it is written, and as the file has it. */
  async add(part: ValuePart, read: ValuePart = part): Promise<void> {
    await requireRestorable(this.#key, part)
    digestPart(this.digest, part)
    digestPart(this.checked, read)
    const commands = commandsFor(part, this.#isFirst).map(([name, ...words]): Command => {
      const [first, second] = (name as string).split(" ")
      return second === undefined ? [name!, this.#beside, ...words] : [first!, second, this.#beside, ...words]
    })
    this.#isFirst = false
    const replies = await this.#driver.batch([...commands, ["PEXPIRE", this.#beside, HOUR_MS]])
    for (const reply of replies) if (reply instanceof KeywrightError) throw reply
  }

  /** Puts it into its place; false when something is there. */
  async move(mode: "overwrite" | "skip", pexpireat: number | undefined): Promise<boolean> {
    const keys = [this.#beside, this.#key, ...neverKeys(this.#key, this.#driver.cluster)]
    const args = [mode, pexpireat === undefined ? "" : String(pexpireat)]
    return (await this.#driver.run(importMoveScript, keys, args)) === 1
  }

  async drop(): Promise<void> {
    await this.#driver.send(["UNLINK", this.#beside])
  }
}
