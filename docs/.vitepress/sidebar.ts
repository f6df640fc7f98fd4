/* Every page of the site, in the order in which it is read. A test holds that none is missing. */

const page = (text: string, link: string) => ({ text, link })

export const sidebar = [
  {
    text: "Guide",
    items: [
      page("First ten minutes", "/guide/first-ten-minutes"),
      page("Declaring", "/guide/declaring"),
      page("Codecs", "/guide/codecs"),
      page("Using keys", "/guide/using-keys"),
      page("Entities and indexes", "/guide/entities"),
      page("Batches, MULTI, transactions, steps", "/guide/together"),
      page("Operation ids and outcomes", "/guide/outcomes"),
      page("Caches", "/guide/caches"),
      page("Jobs, leases, workers", "/guide/jobs"),
      page("Testing", "/guide/testing"),
      page("Secrets", "/guide/secrets"),
      page("Observability", "/guide/observability"),
      page("Audit and repair", "/guide/audit"),
      page("The studio", "/guide/studio"),
      page("Adopting a server", "/guide/adopting-a-server"),
      page("Adopting a codebase", "/guide/adopting-a-codebase"),
      page("What a change breaks", "/guide/diff"),
      page("Production", "/guide/production"),
      page("Cluster and Sentinel", "/guide/cluster"),
      page("Scaling out", "/guide/scaling-out"),
      page("How it works inside", "/guide/inside"),
      page("Comparison", "/guide/comparison"),
    ],
  },
  {
    text: "Kinds",
    collapsed: true,
    items: ["string", "counter", "hash", "map", "list", "set", "zset", "stream", "bitmap", "hyperloglog", "geo"].map(
      (kind) => page(kind, `/kinds/${kind}`),
    ),
  },
  { text: "Recipes", collapsed: true, items: [page("All recipes", "/recipes/")] },
  {
    text: "Reference",
    collapsed: true,
    items: [
      page("Command line", "/reference/command-line"),
      page("Errors", "/reference/errors"),
      page("Findings", "/reference/findings"),
      page("Compatibility", "/reference/compatibility"),
      page("What every call promises", "/promises"),
      page("Embedded engine", "/embedded-engine"),
      page("Threat model", "/threat-model"),
    ],
  },
  {
    text: "The five systems",
    collapsed: true,
    items: [
      page("Overview", "/five-systems/"),
      page("Shop", "/five-systems/shop"),
      page("Messenger", "/five-systems/messaging"),
      page("CartoDB's metadata", "/five-systems/carto"),
      page("Recommender", "/five-systems/recommender"),
      page("Restaurant", "/five-systems/restaurant"),
      page("Requirements", "/systems/"),
      page("Shop: decisions", "/systems/shop"),
      page("Messenger: decisions", "/systems/messaging"),
      page("CartoDB: decisions", "/systems/carto"),
      page("Recommender: decisions", "/systems/recommender"),
      page("Restaurant: decisions", "/systems/restaurant"),
    ],
  },
]
