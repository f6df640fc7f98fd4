import type { Cart, Transaction } from "../context.ts"

/** A cart with all that belongs to it, entries of its sets that lead to nothing included (RST-C4). */
export async function deleteCart(db: Transaction, { id, userId }: Cart): Promise<void> {
  await db.cartDetail.deleteAll("cart", { cartId: id })
  await db.cart.delete(id)
  await db.$blind.cartCache({ userId }).delete()
}
