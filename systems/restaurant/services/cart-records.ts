import type { Cart, CartDetail, Transaction } from "../context.ts"

/** A cart with all that belongs to it (RST-C4). */
export async function deleteCart(
  db: Transaction,
  { id, userId, items }: Cart & { readonly items: readonly CartDetail[] },
): Promise<void> {
  for (const item of items) await db.cartDetail.delete(item.id)
  await db.cart.delete(id)
  await db.cartCache({ userId }).delete()
}
