import * as z from "zod"
import { Permission, Role } from "../schema.ts"
import type { Permissions, Roles } from "../services/roles.ts"
import type { Users } from "../services/users.ts"
import type { RestaurantSettings } from "../settings.ts"
import { checkId, crud } from "./crud.ts"
import {
  ApiPath,
  Email,
  Gender,
  Method,
  Name,
  passwordOf,
  PermissionId,
  RoleId,
  RoleName,
  Short,
  ShownUser,
  stamps,
  UserId,
  Words,
} from "./fields.ts"
import { admins, type Guard } from "./guard.ts"
import { shownUser } from "./identity.ts"

const RoleWithPermissions = Role.extend({ permissionIds: z.array(z.string()).optional() })

export const peopleRoutes = (
  guarded: Guard,
  users: Users,
  roles: Roles,
  permissions: Permissions,
  settings: RestaurantSettings,
) => [
  ...crud(guarded, {
    one: "user",
    many: "users",
    id: UserId,
    fields: {
      username: Name,
      email: Email,
      password: passwordOf(settings),
      phone: Short,
      address: Short,
      gender: Gender,
      roleId: RoleId,
    },
    optional: ["phone", "address", "gender", "roleId"],
    ignored: ["refreshToken", "role"],
    shown: ShownUser,
    readers: admins,
    ...users,
    create: (user, by, { confirm }) => users.create(user, { by, confirm }),
    update: (id, change, by, { confirm }) => users.update(id, change, { by, confirm }),
    show: shownUser,
  }),
  ...crud(guarded, {
    one: "role",
    many: "roles",
    id: RoleId,
    fields: { name: RoleName, description: Words },
    optional: ["description"],
    ignored: ["permissions", "permissionIds"],
    shown: RoleWithPermissions,
    readers: admins,
    ...roles,
  }),
  guarded("ROLES", { roles: admins })("PUT /api/roles/{id}/permissions", {
    summary: "Sets which permissions a role has.",
    params: { id: RoleId },
    body: z.strictObject({ permissionIds: z.array(PermissionId).max(1000), id: z.unknown().optional() }),
    ignored: stamps,
    answer: RoleWithPermissions,
    errors: [404],
    handle({ params, body }) {
      checkId(body.id, params.id)
      return roles.setPermissions(params.id, body.permissionIds)
    },
  }),
  ...crud(guarded, {
    one: "permission",
    many: "permissions",
    id: PermissionId,
    fields: { name: Name, apiPath: ApiPath, method: Method, module: Name },
    optional: [],
    shown: Permission,
    readers: admins,
    ...permissions,
  }),
]
