/* What the restaurant's routes answer with, as far as the page shows it. */

export interface Page<T> {
  readonly result: readonly T[]
}

export interface Dish {
  readonly id: string
  readonly name: string
  readonly price: number
  readonly categoryId: string
  readonly stock?: number | null
  readonly available?: boolean | null
}

export interface Cart {
  readonly items: readonly {
    readonly id: string
    readonly dishId: string
    readonly name: string | null
    readonly quantity: number
    readonly total: number
  }[]
  readonly total: number
}

export const STATUSES = ["PENDING", "CONFIRMED", "DELIVERING", "DELIVERED"] as const

export interface Order {
  readonly id: string
  readonly receiverName: string
  readonly totalPrice: number
  readonly status: (typeof STATUSES)[number] | "CANCELLED"
  readonly paymentMethod: "CASH" | "VNPAY"
  readonly paymentStatus: "PAYMENT_UNPAID" | "PAID" | "FAILED"
}

export const STATUS_LABELS: Readonly<Record<Order["status"], string>> = {
  PENDING: "ordered",
  CONFIRMED: "confirmed",
  DELIVERING: "on its way",
  DELIVERED: "delivered",
  CANCELLED: "cancelled",
}

/** 65000 → "65.000 ₫" */
export const price = (dong: number): string => `${Math.round(dong).toLocaleString("de-DE")} ₫`
