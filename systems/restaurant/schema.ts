/* The restaurant: nine entities whose only database is Redis. Fields that may be absent in
 * documents of other programs are nullish; what is written here has every field. */

import { id, jackson, json, keyspace, layout, map, quoted, refersTo, set, string } from "keywright"
import * as z from "zod"
import { ownKeys, ownParams, ownSteps } from "./own-keys.ts"

/** `cart:list` is a set, not a cart: ids must not equal the names beside them. */
const key = { matching: /(?!(?:list|counter|index)$)[A-Za-z0-9_-]{1,64}/, example: "7" }
export const [userId, roleId, permissionId] = [id("user", key), id("role", key), id("permission", key)]
export const [categoryId, dishId, cartId] = [id("category", key), id("dish", key), id("cart", key)]
export const [cartDetailId, orderId, orderDetailId] = [id("cartDetail", key), id("order", key), id("orderDetail", key)]
export const email = id("email", { matching: /[^\s\p{Cc}]{3,254}/u, example: "user@example.com" })
export const roleName = id("role name", { matching: /[^\s\p{Cc}]{1,64}/u, example: "STAFF" })
const paymentRef = id("payment reference", { matching: /[A-Za-z0-9_-]{1,100}/, example: "VNPAY7" })

const recordId = z.string()
const words = z.string().nullish()
const stamps = { createdAt: z.iso.datetime().nullish(), updatedAt: z.iso.datetime().nullish() }
const audited = { ...stamps, createdBy: words, updatedBy: words }
const money = z.number().nonnegative()
const quantity = z.int().positive()

export const User = z.object({
  id: recordId,
  username: z.string(),
  email: z.string(),
  password: z.string(),
  phone: words,
  address: words,
  refreshToken: words,
  gender: z.enum(["MALE", "FEMALE", "OTHER"]).nullish(),
  roleId: recordId,
  ...audited,
})
export const Role = z.object({ id: recordId, name: z.string(), description: words, ...audited })
export const Permission = z.object({
  id: recordId,
  name: z.string(),
  apiPath: z.string(),
  method: z.enum(["GET", "POST", "PUT", "DELETE"]),
  module: z.string(),
  ...audited,
})
export const Category = z.object({ id: recordId, name: z.string(), description: words, ...audited })
export const Dish = z.object({
  id: recordId,
  name: z.string(),
  description: words,
  price: money,
  imageUrl: words,
  categoryId: recordId,
  stock: z.int().nullish(),
  soldToday: z.int().nullish(),
  available: z.boolean().nullish(),
  ...stamps,
})
export const Cart = z.object({ id: recordId, userId: recordId, ...audited })
export const CartDetail = z.object({
  id: recordId,
  cartId: recordId,
  dishId: recordId,
  quantity,
  price: money,
  total: money,
})
export const Order = z.object({
  id: recordId,
  userId: recordId.nullish(),
  receiverName: z.string(),
  receiverPhone: z.string(),
  receiverAddress: z.string(),
  receiverEmail: words,
  totalPrice: money,
  status: z.enum(["PENDING", "CONFIRMED", "DELIVERING", "DELIVERED", "CANCELLED"]),
  paymentMethod: z.enum(["CASH", "VNPAY"]),
  paymentStatus: z.enum(["PAYMENT_UNPAID", "PAID", "FAILED"]),
  paymentRef: words,
  ...stamps,
})
export const OrderDetail = z.object({ id: recordId, orderId: recordId, dishId: recordId, quantity, price: money })
/** The schemas of the nine entities, by name. */
export const RECORDS = {
  user: User,
  role: Role,
  permission: Permission,
  category: Category,
  dish: Dish,
  cart: Cart,
  cartDetail: CartDetail,
  order: Order,
  orderDetail: OrderDetail,
}
export const ENTITIES = Object.keys(RECORDS) as (keyof typeof RECORDS)[]
/** What VNPay says about a payment, and a refund has to name. */
export const Payment = z.object({ transactionNo: z.string(), payDate: z.string() })
/** The cart as it is cached: only what the cart's own keys determine. */
export const CartView = z.object({ id: recordId, items: z.array(CartDetail.omit({ cartId: true })) })

/** How values are stored: plain, or as Jackson writes texts and objects of classes in a package (RST-C9). */
interface StoredAs {
  readonly values?: "plain" | "jackson"
  readonly javaPackage?: string
}

/** The codec of a document, by the name of its class. That of Jackson's documents reads plain ones too. */
const storedDocuments =
  ({ values = "plain", javaPackage = "com.restaurant.model" }: StoredAs) =>
  <R extends object, W>(schema: z.ZodType<R, W>, name: string) =>
    values === "plain" ? json(schema) : jackson(schema, { type: `${javaPackage}.${name}` })

/** With Jackson, ids are stored in quotes wherever they are held, but not in keys and counters (RST-C9). */
const recordsIn = (values: "plain" | "jackson") =>
  layout({
    key: "{entity}:{id}",
    counter: "{entity}:counter",
    all: "{entity}:list",
    index: "{entity}:index:{index}:{value}",
    quoted: values === "jackson",
  })

export const restaurantSchema = ({
  cartCacheTtl = 300,
  values = "plain",
  ...stored
}: StoredAs & { readonly cartCacheTtl?: number } = {}) => {
  const [document, record] = [storedDocuments({ values, ...stored }), recordsIn(values)]
  const held = <C extends typeof orderId | typeof permissionId>(ids: C): C => (values === "jackson" ? quoted(ids) : ids)
  return keyspace(
    {
      user: record("user", document(User, "User"), {
        unique: { email: "email" },
        stamps: true,
        params: { id: userId },
        secret: ["password", "refreshToken"],
        doc: "A user who can log in.",
      }),
      role: record("role", document(Role, "Role"), {
        unique: { name: "name" },
        stamps: true,
        params: { id: roleId, name: roleName },
        doc: "A set of permissions with a name.",
      }),
      permission: record("permission", document(Permission, "Permission"), {
        stamps: true,
        params: { id: permissionId },
        doc: "A method on a path that a role may be allowed.",
      }),
      category: record("category", document(Category, "Category"), {
        stamps: true,
        params: { id: categoryId },
        doc: "A part of the menu.",
      }),
      dish: record("dish", document(Dish, "Dish"), {
        index: { category: ["categoryId", "category:{categoryId}:dishes"] },
        stamps: ["createdAt", "updatedAt"],
        params: { id: dishId },
        doc: "Something to eat, its price and its stock (null: not tracked).",
      }),
      cart: record("cart", document(Cart, "Cart"), {
        unique: { user: ["userId", "user:{userId}:cart"] },
        stamps: true,
        params: { id: cartId },
        doc: "The one open cart of a user.",
      }),
      cartDetail: record("cartDetail", document(CartDetail, "CartDetail"), {
        index: { cart: ["cartId", "cart:{cartId}:items"] },
        params: { id: cartDetailId },
        doc: "A line of a cart.",
      }),
      order: record("order", document(Order, "Order"), {
        index: { user: ["userId", "user:{userId}:orders"] },
        stamps: ["createdAt", "updatedAt"],
        params: { id: orderId },
        doc: "What a user bought.",
      }),
      orderDetail: record("orderDetail", document(OrderDetail, "OrderDetail"), {
        index: { order: ["orderId", "order:{orderId}:details"] },
        params: { id: orderDetailId },
        doc: "A line of an order; it stays even if its dish is deleted.",
      }),
      paymentRef: string("order:index:paymentRef:{paymentRef}", held(orderId), {
        doc: "The order that a VNPay payment is for. The references of earlier attempts stay: a late payment still finds its order.",
      }),
      rolePermissions: set("role:{roleId}:permissions", held(permissionId), { doc: "Permission ids of a role." }),
      cartCache: string("cache:cart:{userId}", json(CartView), {
        ttl: `${cartCacheTtl}s`,
        evictable: true,
        doc: "A user's cart as it was last read; dropped on every change.",
      }),
      ...ownKeys,
      payments: map("keywright:restaurant:payments:{orderId}", paymentRef, json(Payment), {
        doc: "The references under which VNPay reported a payment of an order, which itself has the latest reference, paid or not.",
      }),
      paidTwice: set("keywright:restaurant:paid-twice", orderId, {
        doc: "Orders with several payments: all but one are to be refunded.",
      }),
    },
    {
      name: "restaurant",
      doc: "A restaurant's users, menu, carts and orders.",
      ttl: "never",
      params: { userId, roleId, permissionId, categoryId, dishId, cartId, orderId, email, paymentRef, ...ownParams },
      steps: ownSteps,
      invariants: [refersTo(orderId, "paymentRef", "order")],
      relations: {
        user: { role: { one: "role", from: "roleId" }, cart: { one: "cart", by: "user" } },
        role: { permissions: { many: "permission", through: "rolePermissions" } },
        dish: { category: { one: "category", from: "categoryId", inverse: "dishes" } },
        cart: { owner: { one: "user", from: "userId" } },
        cartDetail: { cart: { one: "cart", from: "cartId", inverse: "items" }, dish: { one: "dish", from: "dishId" } },
        order: { user: { one: "user", from: "userId", inverse: "orders" } },
        orderDetail: {
          order: { one: "order", from: "orderId", inverse: "items" },
          dish: { one: "dish", from: "dishId", mayDangle: true },
        },
      },
    },
  )
}

export const restaurant = restaurantSchema()
