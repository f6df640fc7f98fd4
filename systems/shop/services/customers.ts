/* Customers and their passwords, in the source. */

import { isPassword, type Hashing } from "../../platform/hashing.ts"
import { unauthorized } from "../../platform/http/problem.ts"
import { loginLimits } from "../../platform/limits/limits.ts"
import type { ShopContext } from "../context.ts"

/** Passwords that an admin sets wait in a separate queue. */
const ADMIN = "admin"

export function customers({ db, source, settings }: Pick<ShopContext, "db" | "source" | "settings">, hashing: Hashing) {
  const limits = loginLimits(db, settings)
  return {
    /** Writes a customer (SHOP-2); the password itself is kept nowhere. */
    async put(user: string, password: string): Promise<void> {
      const password_hash = await hashing.hash(ADMIN, password)
      await source.ask((sql) =>
        sql
          .insertInto("shop_customers")
          .values({ user, password_hash })
          .onConflict((taken) => taken.column("user").doUpdateSet({ password_hash }))
          .execute(),
      )
    },

    /** Refuses a caller who is not the customer, in the same way whatever is wrong (SHOP-2). */
    async check(user: string, password: string | undefined, address: string): Promise<void> {
      if (settings.openLogin) return
      const attempt = async (): Promise<true | undefined> => {
        const found = await source.ask((sql) =>
          sql.selectFrom("shop_customers").select("password_hash").where("user", "=", user).executeTakeFirst(),
        )
        const isRight = await isPassword(found?.password_hash, password ?? "")
        return isRight && password !== undefined ? true : undefined
      }
      const isCustomer = await hashing.inTurn(address, () => limits.take({ account: user, address }, attempt))
      if (!isCustomer) throw unauthorized("user or password is wrong")
    },
  }
}

export type Customers = ReturnType<typeof customers>
