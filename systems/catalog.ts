/* All systems. Each is loaded when it is served; the schemas of all of them are always
 * known, so that no system is started on another one's database. */

import { carto } from "./carto/schema.ts"
import { messaging } from "./messaging/schema.ts"
import type { OwnedKeys } from "./platform/isolation.ts"
import type { Catalog } from "./platform/options.ts"
import { recommender } from "./recommender/schema.ts"
import { restaurant } from "./restaurant/schema.ts"
import { shop } from "./shop/schema.ts"

export const catalog: Catalog = {
  shop: async () => (await import("./shop/index.ts")).shopSystem,
  messaging: async () => (await import("./messaging/index.ts")).messagingSystem,
  carto: async () => (await import("./carto/index.ts")).cartoSystem,
  recommender: async () => (await import("./recommender/index.ts")).recommenderSystem,
  restaurant: async () => (await import("./restaurant/index.ts")).restaurantSystem,
}

const schemas = { shop, messaging, carto, recommender, restaurant }

export const known: readonly OwnedKeys[] = Object.entries(schemas).map(([name, { keys }]) => ({ name, keys }))
