/* Passwords are kept as argon2id hashes only. Checking one that belongs to nobody takes
 * as long as checking a real one, so that nobody learns which e-mails are known. */

import { hash, verify } from "@node-rs/argon2"

export const hashPassword = (password: string): Promise<string> => hash(password)

let nobody: Promise<string> | undefined

/** Whether it is the password of this hash; without one, never. */
export async function isPassword(stored: string | undefined, given: string): Promise<boolean> {
  nobody ??= hash("nobody has this password")
  try {
    const fits = await verify(stored ?? (await nobody), given)
    return fits && stored !== undefined
  } catch {
    return false // What is stored there is no hash.
  }
}
