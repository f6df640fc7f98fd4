/* The restaurant: nine entities whose only database is Redis. */

import { id, json, keyspace, layout, set, string } from "keywright"
import * as z from "zod"

const key = { matching: /[A-Za-z0-9_-]{1,64}/ }
const [userId, roleId, permissionId] = [id("user", key), id("role", key), id("permission", key)]
const [categoryId, dishId, cartId, orderId] = [id("category", key), id("dish", key), id("cart", key), id("order", key)]
const email = id("email", { matching: /[^\s\p{Cc}]{3,254}/u })

const recordId = z.string()
const stamps = { createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() }
const audited = { ...stamps, createdBy: z.string().optional(), updatedBy: z.string().optional() }
const money = z.number().nonnegative()
const count = z.int().nonnegative()

export const User = z.object({
  id: recordId, username: z.string(), email: z.string(), password: z.string(), phone: z.string().optional(), address: z.string().optional(),
  refreshToken: z.string().nullable().optional(), gender: z.enum(["MALE", "FEMALE", "OTHER"]).optional(), roleId: recordId, ...audited,
})
export const Role = z.object({ id: recordId, name: z.string(), description: z.string().optional(), ...audited })
export const Permission = z.object({
  id: recordId, name: z.string(), apiPath: z.string(), method: z.enum(["GET", "POST", "PUT", "DELETE"]), module: z.string(), ...audited,
})
export const Category = z.object({ id: recordId, name: z.string(), description: z.string().optional(), ...audited })
export const Dish = z.object({
  id: recordId, name: z.string(), description: z.string().optional(), price: money, imageUrl: z.string().optional(),
  categoryId: recordId, stock: count.nullable(), soldToday: count, available: z.boolean(), ...stamps,
})
export const Cart = z.object({ id: recordId, userId: recordId, ...audited })
export const CartDetail = z.object({ id: recordId, cartId: recordId, dishId: recordId, quantity: z.int().positive(), price: money, total: money })
export const Order = z.object({
  id: recordId, userId: recordId.nullable(), receiverName: z.string(), receiverPhone: z.string(), receiverAddress: z.string(),
  receiverEmail: z.string().optional(), totalPrice: money, status: z.enum(["PENDING", "CONFIRMED", "DELIVERING", "DELIVERED", "CANCELLED"]),
  paymentMethod: z.enum(["CASH", "VNPAY"]), paymentStatus: z.enum(["PAYMENT_UNPAID", "PAID", "FAILED"]), paymentRef: z.string().nullable(), ...stamps,
})
export const OrderDetail = z.object({ id: recordId, orderId: recordId, dishId: recordId, quantity: z.int().positive(), price: money })
/** The cart as it is cached: only what the cart's own keys determine. */
export const CartView = z.object({ id: recordId, items: z.array(CartDetail.omit({ cartId: true })) })

const record = layout({ key: "{entity}:{id}", counter: "{entity}:counter", all: "{entity}:list", index: "{entity}:index:{index}:{value}" })

export const restaurantSchema = ({ cartCacheTtl = 300 }: { readonly cartCacheTtl?: number } = {}) => keyspace({
  user: record("user", json(User), {
    unique: { email: "email" }, stamps: true, params: { id: userId }, secret: ["password", "refreshToken"], doc: "Someone who can log in.",
  }),
  role: record("role", json(Role), { unique: { name: "name" }, stamps: true, params: { id: roleId }, doc: "A set of permissions with a name." }),
  permission: record("permission", json(Permission), { stamps: true, params: { id: permissionId }, doc: "A method on a path that a role may be allowed." }),
  category: record("category", json(Category), { stamps: true, params: { id: categoryId }, doc: "A part of the menu." }),
  dish: record("dish", json(Dish), {
    index: { category: ["categoryId", "category:{categoryId}:dishes"] },
    stamps: ["createdAt", "updatedAt"], params: { id: dishId }, doc: "Something to eat, its price and its stock (null: not tracked).",
  }),
  cart: record("cart", json(Cart), {
    unique: { user: ["userId", "user:{userId}:cart"] }, stamps: true, params: { id: cartId }, doc: "The one open cart of a user.",
  }),
  cartDetail: record("cartDetail", json(CartDetail), { index: { cart: ["cartId", "cart:{cartId}:items"] }, doc: "A line of a cart." }),
  order: record("order", json(Order), {
    unique: { paymentRef: "paymentRef" }, index: { user: ["userId", "user:{userId}:orders"] },
    stamps: ["createdAt", "updatedAt"], params: { id: orderId }, doc: "What someone bought.",
  }),
  orderDetail: record("orderDetail", json(OrderDetail), {
    index: { order: ["orderId", "order:{orderId}:details"] }, doc: "A line of an order; history even when its dish is gone.",
  }),
  rolePermissions: set("role:{roleId}:permissions", permissionId, { doc: "Permission ids of a role." }),
  cartCache: string("cache:cart:{userId}", json(CartView), {
    ttl: `${cartCacheTtl}s`, evictable: true, doc: "A user's cart as it was last read; dropped on every change.",
  }),
}, {
  name: "restaurant",
  doc: "A restaurant's users, menu, carts and orders.",
  ttl: "never",
  params: { userId, roleId, permissionId, categoryId, dishId, cartId, orderId, email },
  relations: {
    user: { role: { one: "role", from: "roleId" }, cart: { one: "cart", by: "user" } },
    role: { permissions: { many: "permission", through: "rolePermissions" } },
    dish: { category: { one: "category", from: "categoryId", inverse: "dishes" } },
    cartDetail: { cart: { one: "cart", from: "cartId", inverse: "items" }, dish: { one: "dish", from: "dishId" } },
    order: { user: { one: "user", from: "userId", inverse: "orders" } },
    orderDetail: { order: { one: "order", from: "orderId", inverse: "items" }, dish: { one: "dish", from: "dishId" } },
  },
})

export const restaurant = restaurantSchema()
