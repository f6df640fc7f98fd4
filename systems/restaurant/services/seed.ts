/* What a first start writes: the three roles with their permissions, and one
 * administrator (RST-11). One transaction that has seen the lists empty, so that of two
 * starts at once one writes, and the other finds it done. A later start makes the
 * administrator if there is none: anybody may have registered meanwhile. */

import { hash as hashOf } from "@node-rs/argon2"
import type { Permission, RestaurantContext, Transaction } from "../context.ts"
import { isAddress, oneSpelling } from "../email.ts"
import { readAll } from "./pages.ts"

export const roles = { ADMIN: "Everything.", STAFF: "Orders and stock.", USER: "Their own cart and orders." } as const
export type RoleName = keyof typeof roles

/** A permission, and which roles begin with it. */
export interface SeededPermission extends Pick<Permission, "name" | "apiPath" | "method" | "module"> {
  readonly roles: readonly RoleName[]
}

const BY = "system"
/** A shorter password of the administrator causes a warning. */
const SHORT_PASSWORD = 8
/** Users read at once. */
const PAGE = 100

/** Whom a first start makes administrator, of each restaurant. */
export const firstAdmin = ({
  adminEmail = process.env["ADMIN_EMAIL"],
  adminPassword = process.env["ADMIN_PASSWORD"],
}: Pick<RestaurantContext["settings"], "adminEmail" | "adminPassword">) => ({
  email: adminEmail === undefined ? undefined : oneSpelling(adminEmail),
  password: adminPassword,
})

export async function seed(context: RestaurantContext, grants: readonly SeededPermission[]) {
  const { db, settings, log } = context
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
      const seeded = { roles: made?.roles ?? 0, permissions: made?.permissions ?? 0 }
      const admin = made?.adminId ?? (await db.role.find("name", { name: "ADMIN" }))?.id
      // Where users have other roles than ours, nothing is known about who administers.
      if (userIds.length > 0 && (admin === undefined || (await hasHolder(context, userIds, admin))))
        return { ...seeded, admin: false }
      const isTaken = email !== undefined && (await db.user.find("email", { email })) !== undefined
      const canMake = admin !== undefined && isUsable && hash !== undefined && !isTaken
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
      else if (isTaken)
        log.warn("there is no administrator, and somebody has registered with restaurant.adminEmail: set another one")
      else log.warn("there is no administrator: set restaurant.adminEmail and restaurant.adminPassword and start again")
      return { ...seeded, admin: canMake }
    },
    { by: BY },
  )
}

/** Whether somebody has the role. Users who cannot be read may have it. */
async function hasHolder({ db, lenient }: RestaurantContext, userIds: readonly string[], roleId: string) {
  for (let from = 0; from < userIds.length; from += PAGE) {
    const users = await readAll(db.user, userIds.slice(from, from + PAGE), lenient)
    if (users.some((user) => user === undefined || user.roleId === roleId)) return true
  }
  return false
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
