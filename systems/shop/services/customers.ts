/* Customers and their passwords, in the source. */

import { hash, verify } from "@node-rs/argon2"
import { unauthorized } from "../../platform/http/problem.ts"
import type { ShopContext } from "../context.ts"

/** Of nobody's password: an unknown name takes as long to refuse as a wrong password. */
const DECOY = "$argon2id$v=19$m=19456,t=2,p=1$c2hvcHNob3BzaG9wc2hvcA$Pz1m3C0Y7JmpJ1bBvI1X1bq4oW1rj3cB0o4D8m0b8ps"

export function customers({ source, settings }: Pick<ShopContext, "source" | "settings">) {
  return {
    /** Writes a customer (SHOP-2); the password itself is kept nowhere. */
    async put(user: string, password: string): Promise<void> {
      const password_hash = await hash(password)
      await source.ask((sql) =>
        sql
          .insertInto("shop_customers")
          .values({ user, password_hash })
          .onConflict((taken) => taken.column("user").doUpdateSet({ password_hash }))
          .execute(),
      )
    },

    /** Refuses who is not the customer, in the same way whatever is wrong (SHOP-2). */
    async check(user: string, password: string | undefined): Promise<void> {
      if (settings.openLogin) return
      const found = await source.ask((sql) =>
        sql.selectFrom("shop_customers").select("password_hash").where("user", "=", user).executeTakeFirst(),
      )
      const isRight = await verify(found?.password_hash ?? DECOY, password ?? "")
      if (!found || !isRight || password === undefined) throw unauthorized("user or password is wrong")
    },
  }
}

export type Customers = ReturnType<typeof customers>
