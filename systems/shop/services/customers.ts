/* Customers and their passwords, in the source. Another password ends the sessions that
 * began with the one before, also those that somebody has stolen. */

import { isPassword, type Hashing } from "../../platform/hashing.ts"
import { unauthorized } from "../../platform/http/problem.ts"
import { loginLimits } from "../../platform/limits/limits.ts"
import type { ShopContext } from "../context.ts"
import type { Sessions } from "./sessions.ts"

/** Passwords that an admin sets wait in a separate queue. */
const ADMIN = "admin"

const denied = () => unauthorized("wrong user or password")

export function customers(
  { db, source, settings }: Pick<ShopContext, "db" | "source" | "settings">,
  hashing: Hashing,
  sessions: Pick<Sessions, "begin" | "end" | "endAll">,
) {
  const limits = loginLimits(db, settings)
  const hashOf = async (user: string): Promise<string | undefined> => {
    const found = await source.ask((sql) =>
      sql.selectFrom("shop_customers").select("password_hash").where("user", "=", user).executeTakeFirst(),
    )
    return found?.password_hash
  }

  return {
    /** Writes a customer (SHOP-2); the password itself is kept nowhere. The same one again changes nothing. */
    async put(user: string, password: string): Promise<void> {
      const before = await hashOf(user)
      if (before !== undefined && (await hashing.inTurn(ADMIN, () => isPassword(before, password)))) return
      const password_hash = await hashing.hash(ADMIN, password)
      // Where this fails, the password is still the old one, and the same call can be repeated.
      if (before !== undefined) await sessions.endAll(user)
      await source.ask((sql) =>
        sql
          .insertInto("shop_customers")
          .values({ user, password_hash })
          .onConflict((taken) => taken.column("user").doUpdateSet({ password_hash }))
          .execute(),
      )
      // Those that began meanwhile.
      if (before !== undefined) await sessions.endAll(user)
    },

    /** Begins a session; refuses a caller who is not the customer, in the same way whatever is wrong (SHOP-2). */
    async login(user: string, password: string | undefined, address: string): Promise<string> {
      if (settings.openLogin) return sessions.begin(user)
      const attempt = async (): Promise<string | undefined> => {
        const hash = await hashOf(user)
        const isRight = await isPassword(hash, password ?? "")
        return isRight && password !== undefined ? hash : undefined
      }
      const hash = await hashing.inTurn(address, () => limits.take({ account: user, address }, attempt))
      if (hash === undefined) throw denied()
      const token = await sessions.begin(user)
      if ((await hashOf(user)) === hash) return token
      // The password was changed after it was checked, and this session may have been too late to be ended with the others.
      await sessions.end(token)
      throw denied()
    },
  }
}

export type Customers = ReturnType<typeof customers>
