/* Accounts. Somebody who has orders cannot be deleted; their cart is deleted with them (RST-7). */

import { defined } from "../../platform/defined.ts"
import type { Hashing } from "../../platform/hashing.ts"
import { badRequest, conflict, notFound } from "../../platform/http/problem.ts"
import type { RestaurantContext, Transaction, User } from "../context.ts"
import { deleteCart } from "./cart-records.ts"
import { pageOfIds, there, type ListPage } from "./pages.ts"

export interface NewUser {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly phone?: string | null | undefined
  readonly address?: string | null | undefined
  readonly gender?: User["gender"]
  /** Without one, the role USER. */
  readonly roleId?: string | undefined
}

/** Who does it. */
export interface By {
  /** Their e-mail. */
  readonly by: string
  /** Who waits for their turn to have a password hashed; otherwise `by`. */
  readonly client?: string
  /** Whether they still may, asked in the transaction: while a password is hashed, a session can end. */
  readonly confirm?: (db: Transaction) => Promise<void>
}

export function users({ db, lenient }: RestaurantContext, hashing: Hashing) {
  /** 400 unless there is such a role. */
  const checkRole = async (db: Transaction, roleId: string): Promise<void> => {
    if ((await db.role.get(roleId)) === undefined)
      throw badRequest("no_such_role", "body.roleId: there is no such role")
  }

  return {
    async create({ password, roleId, ...given }: NewUser, { by, client = by, confirm }: By): Promise<User> {
      const hash = await hashing.hash(client, password)
      return db.$transaction(
        async (db) => {
          await confirm?.(db)
          const role = roleId ?? (await db.role.find("name", { name: "USER" }))?.id
          if (role === undefined) throw conflict("no_role", "there is no role USER: the restaurant is not set up")
          if (roleId !== undefined) await checkRole(db, roleId)
          return db.user.create({
            username: given.username,
            email: given.email,
            password: hash,
            phone: given.phone ?? null,
            address: given.address ?? null,
            refreshToken: null,
            gender: given.gender ?? null,
            roleId: role,
          })
        },
        { by },
      )
    },

    list: async (options: ListPage) => pageOfIds(db.user, await db.user.ids(), options, lenient),

    get: async (id: string): Promise<User> => there(await db.user.get(id), "user"),

    /** A new password ends the login that there is. */
    async update(id: string, { password, ...given }: Partial<NewUser>, { by, confirm }: By): Promise<User> {
      const hash = password === undefined ? undefined : await hashing.hash(by, password)
      return db.$transaction(
        async (db) => {
          await confirm?.(db)
          if (given.roleId !== undefined) await checkRole(db, given.roleId)
          return db.user.update(id, {
            ...defined(given),
            ...(hash !== undefined && { password: hash, refreshToken: null }),
          })
        },
        { by },
      )
    },

    async delete(id: string): Promise<void> {
      await db.$transaction(async (db) => {
        const [user, cart, orders] = await Promise.all([
          db.user.get(id),
          db.cart.find("user", { userId: id }, { with: { items: true } }),
          db.order.listIds("user", { userId: id }),
        ])
        if (user === undefined) throw notFound("there is no such user")
        if (orders.length > 0) throw conflict("user_has_orders", "somebody who has orders cannot be deleted")
        if (cart !== undefined) await deleteCart(db, cart)
        await db.$blind.cartCache({ userId: id }).delete()
        await db.user.delete(id)
      })
    },
  }
}

export type Users = ReturnType<typeof users>
