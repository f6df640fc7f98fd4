/* What to try first in each system. */

export const stories: Readonly<Record<string, string>> = {
  shop: "Look at things and fill a cart; see which rows and pages come from Redis, and how old they are.",
  messaging: "Two people side by side: presence, invites, a ban, and messages as they arrive.",
  carto: "A map user's views and queries as charts, and a rename that moves everything.",
  recommender: "A feed that says why each post is in it, and the nightly run that makes the next one.",
  restaurant: "Order a soup, pay for it, and see the kitchen deliver it.",
}
