/* What people call the systems. */

const labels: Readonly<Record<string, string>> = {
  shop: "Shop",
  messaging: "Messenger",
  carto: "Maps",
  recommender: "Recommender",
  restaurant: "Restaurant",
}

export const labelOf = (name: string): string => labels[name] ?? name
