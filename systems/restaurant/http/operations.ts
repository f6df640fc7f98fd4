import * as z from "zod"
import type { Auth } from "../../platform/http/auth.ts"
import { route } from "../../platform/http/route.ts"
import { backup } from "../../platform/persistence.ts"
import type { RestaurantContext } from "../context.ts"
import type { Dishes } from "../services/menu.ts"

export const operationRoutes = ({ db }: RestaurantContext, dishes: Dishes, admin: Auth<void>) => [
  route({
    method: "POST",
    path: "/jobs/reset-sold-today/run",
    summary: "Sets what was sold today to nothing, for every dish.",
    auth: admin,
    answer: z.object({ reset: z.int() }),
    handle: async () => ({ reset: await dishes.resetSoldToday() }),
  }),
  route({
    method: "POST",
    path: "/admin/backup",
    summary: "Saves a snapshot, and waits for it.",
    auth: admin,
    answer: z.object({ lastSave: z.int() }),
    handle: () => backup(db.$driver()),
  }),
]
