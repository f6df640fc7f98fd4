/* What a first start writes: the three roles with their permissions, and one
 * administrator (RST-11). One transaction that has seen the lists empty, so that of two
 * starts at once one writes, and the other finds it done. */

import { hash as hashOf } from "@node-rs/argon2"
import type { Permission, RestaurantContext, Transaction } from "../context.ts"
import { isAddress, oneSpelling } from "../email.ts"

export const roles = { ADMIN: "Everything.", STAFF: "Orders and stock.", USER: "Their own cart and orders." } as const
export type RoleName = keyof typeof roles

/** A permission, and which roles begin with it. */
export interface SeededPermission extends Pick<Permission, "name" | "apiPath" | "method" | "module"> {
  readonly roles: readonly RoleName[]
}

const BY = "system"
/** A shorter password of the administrator causes a warning. */
const SHORT_PASSWORD = 8

/** Whom a first start makes administrator, of each restaurant. */
export const firstAdmin = ({
  adminEmail = process.env["ADMIN_EMAIL"],
  adminPassword = process.env["ADMIN_PASSWORD"],
}: Pick<RestaurantContext["settings"], "adminEmail" | "adminPassword">) => ({
  email: adminEmail === undefined ? undefined : oneSpelling(adminEmail),
  password: adminPassword,
})

export async function seed({ db, settings, log }: RestaurantContext, grants: readonly SeededPermission[]) {
  const { email, password } = firstAdmin(settings)
  log.hide(password)
  const isUsable = email !== undefined && isAddress(email)
  if (email !== undefined && !isUsable)
    log.warn("restaurant.adminEmail is not an e-mail address: nobody could log in with it")
  if (password !== undefined && password.length < SHORT_PASSWORD)
    log.warn(`restaurant.adminPassword is shorter than ${SHORT_PASSWORD} characters: it can be guessed`)
  const hash = isUsable && password !== undefined ? await hashOf(password) : undefined
  return db.$transaction(
    async (db) => {
      const [roleIds, permissionIds, userIds] = await Promise.all([db.role.ids(), db.permission.ids(), db.user.ids()])
      const isFresh = roleIds.length === 0 && permissionIds.length === 0
      const made = isFresh ? await seedRoles(db, grants) : undefined
      if (userIds.length > 0) return { roles: made?.roles ?? 0, permissions: made?.permissions ?? 0, admin: false }
      const admin = made?.adminId ?? (await db.role.find("name", { name: "ADMIN" }))?.id
      const canMake = admin !== undefined && isUsable && hash !== undefined
      if (canMake)
        await db.user.create({
          username: email,
          email,
          password: hash,
          phone: null,
          address: null,
          refreshToken: null,
          gender: null,
          roleId: admin,
        })
      else log.warn("there is no administrator: set restaurant.adminEmail and restaurant.adminPassword and start again")
      return { roles: made?.roles ?? 0, permissions: made?.permissions ?? 0, admin: canMake }
    },
    { by: BY },
  )
}

async function seedRoles(db: Transaction, grants: readonly SeededPermission[]) {
  const ids = new Map<string, string>()
  for (const [name, description] of Object.entries(roles))
    ids.set(name, (await db.role.create({ name, description })).id)
  for (const { roles: holders, ...grant } of grants) {
    const { id } = await db.permission.create(grant)
    for (const role of holders) await db.rolePermissions({ roleId: ids.get(role)! }).add(id)
  }
  return { roles: ids.size, permissions: grants.length, adminId: ids.get("ADMIN")! }
}
