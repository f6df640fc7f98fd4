import * as z from "zod"
import { fieldOf } from "../../platform/http/fields.ts"
import { item, LONGEST_DELAY, row, user } from "../schema.ts"

export const Item = fieldOf(item)
export const RowId = fieldOf(row)
export const User = fieldOf(user)
export const Password = z.string().min(1).max(1024)
/** Less than 1 removes the item. */
export const Quantity = z.int().max(1_000_000)
export const Delay = z.number().max(LONGEST_DELAY)
export const Cart = z.object({ items: z.record(z.string(), z.int()) })
