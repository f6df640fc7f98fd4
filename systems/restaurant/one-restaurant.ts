/* One restaurant, put together: schema → services → jobs → http. Several of them share a
 * process. What they share is listed here, and none of it gives access to another one. */

import { isUnavailable, type Job } from "keywright"
import { errorFields } from "../platform/log.ts"
import { warnIfVolatile } from "../platform/server-info.ts"
import type { RestaurantContext } from "./context.ts"
import { buyerIp } from "./http/buyer-ip.ts"
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
import { areaOf } from "./area.ts"
import { access } from "./services/access.ts"
import { carts } from "./services/cart.ts"
import { checkouts } from "./services/checkout.ts"
import { copies } from "./services/copies.ts"
import { identity } from "./services/identity.ts"
import { integrity } from "./services/integrity.ts"
import { categories, dishes } from "./services/menu.ts"
import { monitoring } from "./services/monitoring.ts"
import { openOrders } from "./services/open-orders.ts"
import { orders } from "./services/orders.ts"
import { payments, type Payments } from "./services/payments.ts"
import { permissions, roles } from "./services/roles.ts"
import { seed, type SeededPermission } from "./services/seed.ts"
import { stockNotices } from "./services/stock-notices.ts"
import { tokens } from "./services/tokens.ts"
import { countedTransaction } from "./services/counted-transaction.ts"
import { users } from "./services/users.ts"
import { vnPay } from "./services/vnpay.ts"
import type { Shared } from "./shared.ts"
import type { Route } from "../platform/http/route.ts"

const AGAIN_MS = 500

export interface OneRestaurant {
  readonly routes: readonly Route[]
  readonly jobs: readonly Job<unknown, unknown>[]
  readonly payments: Payments
  /** What /health says about it. */
  about(): Readonly<Record<string, unknown>>
  stop(): Promise<void>
}

/** `among`: the payments of the other restaurants, for reports that arrive at this one's routes. */
export async function oneRestaurant(
  context: RestaurantContext,
  shared: Shared,
  name?: string,
  among: ReadonlyMap<string, Pick<Payments, "process">> = new Map(),
): Promise<OneRestaurant> {
  const { forAdmin, settings } = context
  const { hashes } = shared
  const token = tokens(context, shared.secretOf(name))
  const user = users(context, hashes)
  const dish = dishes(context)
  const gateway = vnPayOf(context, name)
  const inTransaction = countedTransaction(context, shared.retries)
  const checkout = checkouts(inTransaction, {
    vnpay: gateway,
    notices: stockNotices(context, shared.lowStock),
    open: openOrders(context),
  })
  const { guarded, grants } = guard(token, access(context, token), context, shared)

  const area = areaOf(settings)
  const reset = resetSoldToday(context, dish)
  const jobs: Job<unknown, unknown>[] = [reset]
  const whole = integrity(context, area)
  if (settings.integrityEvery > 0) jobs.push(checkIndexes(context, whole))
  // A snapshot is of the whole server: one restaurant asks for it.
  if (settings.backupEvery > 0 && name === undefined) jobs.push(backUp(context))

  const ipOf = buyerIp(context.clientOf)
  const paid = payments(context, gateway, { name, among })
  const routes = [
    ...identityRoutes(identity(context, token, shared, name), user, shared.registrations, token, context, name),
    ...peopleRoutes(guarded, user, roles(context), permissions(context), settings),
    ...menuRoutes(guarded, categories(context), dish, context),
    ...cartRoutes(guarded, carts(context, inTransaction), checkout, ipOf),
    ...orderRoutes(guarded, orders(context), checkout, ipOf),
    ...paymentRoutes(guarded, paid, settings, ipOf),
    ...operationRoutes(context, { dishes: dish, integrity: whole, monitoring: monitoring(context, area) }, forAdmin),
    ...copyRoutes(copies(context, area), forAdmin),
  ]
  const stop = await prepare(context, grants)
  return {
    routes,
    jobs,
    stop,
    payments: paid,
    about: () => ({ integrity: whole.last() ?? "not checked yet" }),
  }
}

/** Undefined where it is not set up. */
function vnPayOf({ settings, clock }: RestaurantContext, restaurant: string | undefined) {
  const { "vnpay.tmnCode": tmnCode, "vnpay.hashSecret": hashSecret, "vnpay.payUrl": payUrl } = settings
  const returnUrl = settings["vnpay.returnUrl"] ?? settings.frontendUrl
  if (tmnCode === undefined || hashSecret === undefined || payUrl === undefined || returnUrl === undefined)
    return undefined
  return vnPay({
    tmnCode,
    hashSecret,
    payUrl,
    returnUrl,
    restaurant,
    now: () => clock.now(),
  })
}

/** What a first start writes: now, or as soon as Redis is there. */
async function prepare(context: RestaurantContext, grants: readonly SeededPermission[]): Promise<() => Promise<void>> {
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
