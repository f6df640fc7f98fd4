/* Roles and permissions. A role that somebody has cannot be deleted; a permission that is
 * deleted leaves every role, in the same step (RST-7). */

import { badRequest, conflict, notFound } from "../../platform/http/problem.ts"
import type { Permission, RestaurantContext, Role } from "../context.ts"
import { pageOfIds, there, type ListPage } from "./pages.ts"

export type RoleWithPermissions = Role & { readonly permissionIds: string[] }
type NewRole = Pick<Role, "name" | "description">
type NewPermission = Pick<Permission, "name" | "apiPath" | "method" | "module">

export function roles({ db, lenient }: RestaurantContext) {
  return {
    create: ({ name, description = null }: NewRole, by: string): Promise<Role> =>
      db.role.create({ name, description }, { by }),
    list: async (options: ListPage) => pageOfIds(db.role, await db.role.ids(), options, lenient),
    update: (id: string, change: Partial<NewRole>, by: string): Promise<Role> => db.role.update(id, change, { by }),

    async get(id: string): Promise<RoleWithPermissions> {
      const [role, ids] = await Promise.all([db.role.get(id), db.rolePermissions({ roleId: id }).members()])
      if (role === undefined) throw notFound("there is no such role")
      return { ...role, permissionIds: inOrder(ids) }
    },

    /** These, and no others (RST-K5). */
    async setPermissions(id: string, permissionIds: readonly string[]): Promise<RoleWithPermissions> {
      const wanted = [...new Set(permissionIds)]
      return db.$transaction(async (db) => {
        const [role, permissions] = await Promise.all([db.role.get(id), db.permission.getMany(wanted)])
        if (role === undefined) throw notFound("there is no such role")
        const missing = wanted.filter((_, i) => permissions[i] === undefined)
        if (missing.length > 0)
          throw badRequest("no_such_permission", "body.permissionIds: there are no such permissions", { missing })
        await db.rolePermissions({ roleId: id }).replace(wanted)
        return { ...role, permissionIds: inOrder(wanted) }
      })
    },

    async delete(id: string): Promise<void> {
      await db.$transaction(async (db) => {
        const [role, users] = await Promise.all([db.role.get(id), db.user.all()])
        if (role === undefined) throw notFound("there is no such role")
        if (users.some((user) => user.roleId === id))
          throw conflict("role_in_use", "a role that somebody has cannot be deleted")
        await db.role.delete(id)
      })
    },
  }
}

export function permissions({ db, lenient }: RestaurantContext) {
  return {
    create: (given: NewPermission, by: string): Promise<Permission> => db.permission.create(given, { by }),
    list: async (options: ListPage) => pageOfIds(db.permission, await db.permission.ids(), options, lenient),
    update: (id: string, change: Partial<NewPermission>, by: string): Promise<Permission> =>
      db.permission.update(id, change, { by }),

    get: async (id: string): Promise<Permission> => there(await db.permission.get(id), "permission"),

    async delete(id: string): Promise<void> {
      if (!(await db.permission.delete(id))) throw notFound("there is no such permission")
    },
  }
}

const inOrder = (ids: readonly string[]): string[] =>
  [...ids].sort((a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0))

export type Roles = ReturnType<typeof roles>
export type Permissions = ReturnType<typeof permissions>
