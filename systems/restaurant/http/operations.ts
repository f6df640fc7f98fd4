import * as z from "zod"
import { backup } from "keywright/operate"
import type { RouteFor } from "../../platform/http/route.ts"
import type { RestaurantContext } from "../context.ts"
import type { Integrity } from "../services/integrity.ts"
import type { Dishes } from "../services/menu.ts"
import type { Monitoring } from "../services/monitoring.ts"

const Finding = z.looseObject({
  code: z.string(),
  pattern: z.string(),
  key: z.string(),
  expected: z.string(),
  found: z.string(),
  fixable: z.boolean(),
})
const Unreadable = z.looseObject({ pattern: z.string(), keys: z.int(), example: z.string(), reason: z.string() })
const Plan = z.looseObject({ actions: z.array(z.looseObject({ code: z.string(), key: z.string() })) })
const Deletions = z.array(z.enum(["unknown", "broken", "conflicts", "fields", "orphans", "excess"]))

export interface Operations {
  readonly dishes: Dishes
  readonly integrity: Integrity
  readonly monitoring: Monitoring
}

export const operationRoutes = (
  { db }: RestaurantContext,
  { dishes, integrity, monitoring }: Operations,
  forAdmin: RouteFor<void>,
) => [
  forAdmin("POST /jobs/reset-sold-today/run", {
    summary: "Resets what was sold today to 0, for every dish.",
    answer: z.object({ reset: z.int() }),
    handle: async () => ({ reset: await dishes.resetSoldToday() }),
  }),
  forAdmin("GET /admin/integrity", {
    summary: "Everything that is inconsistent; changes nothing.",
    answer: z.object({ keys: z.int(), findings: z.array(Finding), unreadable: z.array(Unreadable).optional() }),
    handle: async () => {
      const { findings, unreadable, ...counted } = await integrity.check()
      return {
        ...counted,
        findings: findings.map((finding) => ({ ...finding })),
        ...(unreadable && { unreadable: unreadable.map((one) => ({ ...one })) }),
      }
    },
  }),
  forAdmin("POST /admin/repair", {
    summary:
      "A plan that repairs it; with `apply`, carries it out. Data that is not derived is deleted only if `delete` names it.",
    body: z.strictObject({ apply: z.boolean().optional(), delete: Deletions.optional() }).optional(),
    answer: z.looseObject({ plan: Plan }),
    handle: async ({ body }) =>
      ({
        ...(await integrity.repair({ apply: body?.apply ?? false, deletions: body?.delete ?? [] })),
      }) as never,
  }),
  forAdmin("POST /admin/backup", {
    summary: "Saves a snapshot, and waits for it.",
    answer: z.object({ lastSave: z.string(), how: z.string(), seconds: z.number() }),
    async handle() {
      const [{ lastSave, how, seconds }] = (await backup(db.$driver())) as [Awaited<ReturnType<typeof backup>>[number]]
      return { lastSave, how, seconds }
    },
  }),
  forAdmin("GET /admin/stats", {
    summary: "Keys, memory and the biggest keys.",
    answer: z.looseObject({ keys: z.int(), bytes: z.int(), counts: z.record(z.string(), z.int()) }),
    handle: () => monitoring.stats(),
  }),
  forAdmin("GET /admin/keys/{key}", {
    summary: "One key: its type, TTL, memory and value, and what it is related to.",
    params: { key: z.string().min(1).max(1000) },
    answer: z.looseObject({ key: z.string(), type: z.string() }),
    errors: [404],
    handle: async ({ params }) => ({ ...(await monitoring.key(params.key)) }),
  }),
]
