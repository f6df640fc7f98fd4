/* The restaurant, put together: schema → services → jobs → http. */

import { document } from "./document.ts"
import { isUnavailable, type Job } from "keywright"
import { hashing } from "../platform/hashing.ts"
import { registrationLimits } from "../platform/limits/limits.ts"
import { errorFields } from "../platform/log.ts"
import { warnIfVolatile } from "../platform/persistence.ts"
import { system } from "../platform/system.ts"
import { auditRules } from "./audit-rules.ts"
import type { RestaurantContext } from "./context.ts"
import { cartRoutes } from "./http/carts.ts"
import { copyRoutes } from "./http/copies.ts"
import { guard } from "./http/guard.ts"
import { identityRoutes } from "./http/identity.ts"
import { menuRoutes } from "./http/menu.ts"
import { operationRoutes } from "./http/operations.ts"
import { orderRoutes } from "./http/orders.ts"
import { paymentRoutes } from "./http/payments.ts"
import { peopleRoutes } from "./http/people.ts"
import { backUp } from "./jobs/back-up.ts"
import { checkIndexes } from "./jobs/check-indexes.ts"
import { resetSoldToday } from "./jobs/reset-sold-today.ts"
import { restaurantSchema } from "./schema.ts"
import { access } from "./services/access.ts"
import { carts } from "./services/cart.ts"
import { checkouts } from "./services/checkout.ts"
import { copies } from "./services/copies.ts"
import { identity } from "./services/identity.ts"
import { integrity } from "./services/integrity.ts"
import { categories, dishes } from "./services/menu.ts"
import { monitoring } from "./services/monitoring.ts"
import { orders } from "./services/orders.ts"
import { payments } from "./services/payments.ts"
import { permissions, roles } from "./services/roles.ts"
import { seed, type Grant } from "./services/seed.ts"
import { stockNotices } from "./services/stock-notices.ts"
import { tokens } from "./services/tokens.ts"
import { countedTransaction } from "./services/counted-transaction.ts"
import { users } from "./services/users.ts"
import { vnPay } from "./services/vnpay.ts"
import { settings } from "./settings.ts"

const AGAIN_MS = 500
const noExport = [
  400,
  "invalid_export",
  "this is not an export, or it was changed since it was written: nothing was imported",
] as const

export const restaurantSystem = system()({
  name: "restaurant",
  doc: "Users, roles, a menu, carts, orders and payments through VNPay; Redis is the only database.",
  databases: [14],
  document,
  settings,
  schema: restaurantSchema,
  rules: () => auditRules,
  refusals: {
    "ENTITY.NOT_FOUND": [404, "not_found", "there is no such thing"],
    "INDEX.UNIQUE_TAKEN": [409, "already_taken", "this e-mail or name is taken"],
    "IMPORT.EXISTS": [409, "keys_exist", "some keys exist already with other values: nothing was imported"],
    "IMPORT.REFUSED": noExport,
    "IMPORT.DAMAGED": noExport,
    "IMPORT.CUT": noExport,
    "IMPORT.MISMATCH": noExport,
    "IMPORT.LEFT_OUT": noExport,
  },

  async start(context) {
    const { admin, settings } = context
    const token = tokens(context)
    const hashes = hashing()
    const user = users(context, hashes)
    const dish = dishes(context)
    const gateway = vnPayOf(context)
    const inTransaction = countedTransaction(context)
    const checkout = checkouts(inTransaction, gateway, stockNotices(context))
    const { guarded, grants } = guard(token, access(context, token))

    const reset = resetSoldToday(context, dish)
    const jobs: Job<unknown, unknown>[] = [reset]
    const whole = integrity(context)
    if (settings.integrityEvery > 0) jobs.push(checkIndexes(context, whole))
    if (settings.backupEvery > 0) jobs.push(backUp(context))

    const routes = [
      ...identityRoutes(
        identity(context, token, hashes),
        user,
        registrationLimits(context.db, settings),
        token,
        context,
      ),
      ...peopleRoutes(guarded, user, roles(context), permissions(context), settings),
      ...menuRoutes(guarded, categories(context), dish),
      ...cartRoutes(guarded, carts(context, inTransaction), checkout),
      ...orderRoutes(guarded, orders(context), checkout),
      ...paymentRoutes(guarded, payments(context, gateway), settings),
      ...operationRoutes(context, { dishes: dish, integrity: whole, monitoring: monitoring(context) }, admin),
      ...copyRoutes(copies(context), admin),
    ]
    const stop = await prepare(context, grants)
    return { routes, jobs, stop, about: () => ({ integrity: whole.last() ?? "not checked yet" }) }
  },
})

/** Undefined where it is not set up. */
function vnPayOf({ settings, clock }: RestaurantContext) {
  const { "vnpay.tmnCode": tmnCode, "vnpay.hashSecret": hashSecret, "vnpay.payUrl": payUrl } = settings
  const returnUrl = settings["vnpay.returnUrl"] ?? settings.frontendUrl
  if (tmnCode === undefined || hashSecret === undefined || payUrl === undefined || returnUrl === undefined)
    return undefined
  return vnPay({ tmnCode, hashSecret, payUrl, returnUrl, now: () => clock.now() })
}

/** What a first start writes: now, or as soon as Redis is there. */
async function prepare(context: RestaurantContext, grants: readonly Grant[]): Promise<() => Promise<void>> {
  const { db, log } = context
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const attempt = async (): Promise<void> => {
    try {
      log.info("prepared", { ...(await seed(context, grants)) })
      await warnIfVolatile(db.$driver(), "restaurant", log)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (!isStopped) timer = setTimeout(again, AGAIN_MS).unref()
    }
  }
  const again = () => void attempt().catch((error: unknown) => log.error("not prepared", errorFields(error)))
  await attempt()
  return async () => {
    isStopped = true
    clearTimeout(timer)
  }
}
