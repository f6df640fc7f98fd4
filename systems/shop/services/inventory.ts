/* Rows of the shop's database: read from the cache where they are cached, and from the
 * source otherwise; scheduled to be cached by those who know how fresh they have to be. */

import { unlessAway } from "../../platform/redis-away.ts"
import type { ShopContext } from "../context.ts"
import type { Row } from "../schema.ts"
import { columnsOf, rowOf } from "./inventory-columns.ts"

export interface FoundRow {
  /** Undefined when neither has it. */
  readonly value: Row | undefined
  /** Redis was away, and the source answered alone. */
  readonly isDegraded: boolean
  /** For a cached copy: how old it is, and how often it is made, in seconds. */
  readonly copy?: { readonly age: number; readonly every: number }
}

export function inventory({ db, source, redis, clock }: ShopContext) {
  const load = async (id: string): Promise<Row | undefined> => {
    const found = await source.ask((sql) =>
      sql.selectFrom("shop_inventory").selectAll().where("id", "=", id).executeTakeFirst(),
    )
    return found && rowOf(found)
  }

  /** How old the copy of a row is; the row is answered even when its schedule is wrong. */
  const ageOf = async (id: string): Promise<FoundRow["copy"]> => {
    const stock = db.stock({ row: id })
    const [next, every] = await Promise.all([stock.schedule().score(id), stock.delay().score(id)]).catch(() => [])
    if (next === undefined || every === undefined || every <= 0) return undefined
    return { age: Math.max(0, Math.round(clock.now().getTime() / 1000 - (next - every))), every }
  }

  /** The cached copy. One round trip. */
  const cached = async (id: string): Promise<Omit<FoundRow, "isDegraded">> => {
    const [value, copy] = await Promise.all([db.stock.row({ row: id }).get(), ageOf(id)])
    return { value, ...(copy && { copy }) }
  }

  /** The row, cached or not (SHOP-15). */
  const find = async (id: string): Promise<FoundRow> => {
    const found = redis.isUp ? await unlessAway(redis, () => cached(id)) : undefined
    if (found?.value !== undefined) return { ...found, isDegraded: false }
    return { value: await load(id), isDegraded: found === undefined }
  }

  const schedule = async (id: string, delay: number): Promise<void> => {
    await db.$steps.scheduleRow({ row: id, id, delay, now: clock.seconds() })
  }

  return {
    load,
    find,

    async put(id: string, row: Row): Promise<void> {
      const columns = columnsOf(row)
      await source.ask((sql) =>
        sql
          .insertInto("shop_inventory")
          .values({ id, ...columns })
          .onConflict((taken) => taken.column("id").doUpdateSet(columns))
          .execute(),
      )
    },

    async remove(id: string): Promise<void> {
      await source.ask((sql) => sql.deleteFrom("shop_inventory").where("id", "=", id).execute())
    },

    /** From now on the row is copied at this interval in seconds (SHOP-10); 0 or less ends that at the next pass. */
    schedule,

    /** SHOP-11 */
    unschedule: (id: string) => schedule(id, -1),

    countDue: () => db.stock.merged.schedule().countBetween("-inf", clock.seconds()),
  }
}

export type Inventory = ReturnType<typeof inventory>
