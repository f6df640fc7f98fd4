/* One change each to the JSON forms of the cases: what fromJson must say, and
 * whether the published JSON Schema sees it too (`schema`, true unless it needs
 * more than a schema can say). */

// oxlint-disable-next-line typescript/no-explicit-any -- documents that are wrong on purpose have no type.
type Forms = { shop: any; messenger: any; restaurant: any }

interface Mutation {
  readonly why: string
  readonly change: (forms: Forms) => void
  readonly code: string
  readonly path: string
  readonly schema?: boolean
}

const E = "$.entries"

export const mutations: readonly Mutation[] = [
  { why: "an unknown name", change: ({ shop }) => (shop.keys = []), code: "JSON_FORM.UNKNOWN", path: "$" },
  {
    why: "a misspelled note",
    change: ({ shop }) => (shop.entries.cart.tll = "1m"),
    code: "JSON_FORM.UNKNOWN",
    path: `${E}.cart`,
  },
  { why: "no version", change: ({ shop }) => delete shop.version, code: "JSON_FORM.MISSING", path: "$" },
  { why: "another version", change: ({ shop }) => (shop.version = "1"), code: "JSON_FORM.VERSION", path: "$.version" },
  { why: "no entries", change: ({ shop }) => delete shop.entries, code: "JSON_FORM.MISSING", path: "$" },
  { why: "entries as a list", change: ({ shop }) => (shop.entries = []), code: "JSON_FORM.TYPE", path: E },
  {
    why: "a number as a doc",
    change: ({ shop }) => (shop.entries.login.doc = 1),
    code: "JSON_FORM.TYPE",
    path: `${E}.login.doc`,
  },
  {
    why: "an unknown kind",
    change: ({ shop }) => (shop.entries.cart.kind = "dict"),
    code: "JSON_FORM.UNKNOWN",
    path: `${E}.cart.kind`,
  },
  { why: "no kind", change: ({ shop }) => delete shop.entries.cart.kind, code: "JSON_FORM.MISSING", path: `${E}.cart` },
  {
    why: "no pattern",
    change: ({ shop }) => delete shop.entries.cart.pattern,
    code: "JSON_FORM.MISSING",
    path: `${E}.cart`,
  },
  {
    why: "no shape",
    change: ({ shop }) => delete shop.entries.cart.shape,
    code: "JSON_FORM.MISSING",
    path: `${E}.cart.shape`,
  },
  {
    why: "half a shape",
    change: ({ shop }) => delete shop.entries.cart.shape.value,
    code: "JSON_FORM.MISSING",
    path: `${E}.cart.shape`,
  },
  {
    why: "a shape of another kind",
    change: ({ shop }) => (shop.entries.cart.shape.member = { codec: "text" }),
    code: "JSON_FORM.UNKNOWN",
    path: `${E}.cart.shape`,
  },
  {
    why: "an unknown codec",
    change: ({ shop }) => (shop.entries.cart.shape.value.codec = "number"),
    code: "JSON_FORM.UNKNOWN",
    path: `${E}.cart.shape.value.codec`,
  },
  {
    why: "a codec as text",
    change: ({ shop }) => (shop.entries.cart.shape.value = "int"),
    code: "JSON_FORM.TYPE",
    path: `${E}.cart.shape.value`,
  },
  {
    why: "a codec with a stranger's field",
    change: ({ shop }) => (shop.entries.cart.shape.value.of = {}),
    code: "JSON_FORM.UNKNOWN",
    path: `${E}.cart.shape.value`,
  },
  {
    why: "a score of text",
    change: ({ shop }) => (shop.entries.recent.shape.score = { codec: "text" }),
    code: "JSON_FORM.CODEC",
    path: `${E}.recent.shape.score`,
  },
  {
    why: "a counter of flags",
    change: ({ shop }) => (shop.entries.orders.shape.value = { codec: "flag" }),
    code: "JSON_FORM.CODEC",
    path: `${E}.orders.shape.value`,
  },
  {
    why: "bytes in a key",
    change: ({ shop }) => (shop.entries.row.params.row = { codec: "bytes" }),
    code: "JSON_FORM.CODEC",
    path: `${E}.row.params.row`,
  },
  {
    why: "bytes as a field",
    change: ({ shop }) => (shop.entries.cart.shape.field = { codec: "bytes" }),
    code: "JSON_FORM.CODEC",
    path: `${E}.cart.shape.field`,
  },
  {
    why: "keep on a set",
    change: ({ messenger }) => (messenger.entries.live.entries.service.entries.online.keep = 5),
    code: "JSON_FORM.UNKNOWN",
    path: `${E}.live.entries.service.entries.online`,
  },
  {
    why: "keep 0",
    change: ({ shop }) => (shop.entries.recent.keep = 0),
    code: "JSON_FORM.REFUSED",
    path: `${E}.recent`,
  },
  {
    why: "keep 1.5",
    change: ({ shop }) => (shop.entries.recent.keep = 1.5),
    code: "JSON_FORM.TYPE",
    path: `${E}.recent.keep`,
  },
  {
    why: "a bad duration",
    change: ({ shop }) => (shop.entries.page.ttl = "10 minutes"),
    code: "JSON_FORM.REFUSED",
    path: `${E}.page.ttl`,
  },
  {
    why: "a ttl of two forms",
    change: ({ shop }) => (shop.entries.page.ttl = { sliding: "1m", fixed: "1m" }),
    code: "JSON_FORM.TYPE",
    path: `${E}.page.ttl`,
  },
  {
    why: "a ttl of no form",
    change: ({ shop }) => (shop.entries.page.ttl = {}),
    code: "JSON_FORM.TYPE",
    path: `${E}.page.ttl`,
  },
  {
    why: "a choice of one",
    change: ({ shop }) => (shop.entries.page.ttl = { either: ["1m"] }),
    code: "JSON_FORM.REFUSED",
    path: `${E}.page.ttl`,
  },
  {
    why: "a bound that is no duration",
    change: ({ restaurant }) => (restaurant.entries.permission.ttl = { upTo: "long" }),
    code: "JSON_FORM.REFUSED",
    path: `${E}.permission.ttl`,
  },
  {
    why: "a bound and a choice",
    change: ({ restaurant }) => (restaurant.entries.permission.ttl = { upTo: "1d", either: ["1m", "never"] }),
    code: "JSON_FORM.TYPE",
    path: `${E}.permission.ttl`,
  },
  {
    why: "secret: false",
    change: ({ shop }) => (shop.entries.page.secret = false),
    code: "JSON_FORM.TYPE",
    path: `${E}.page.secret`,
  },
  {
    why: "one of nothing",
    change: ({ shop }) => (shop.entries.events.shape.fields.kind.values = []),
    code: "JSON_FORM.REFUSED",
    path: `${E}.events.shape.fields.kind`,
  },
  {
    why: "one of a list",
    change: ({ shop }) => (shop.entries.events.shape.fields.kind.values = [[]]),
    code: "JSON_FORM.TYPE",
    path: `${E}.events.shape.fields.kind.values[0]`,
  },
  {
    why: "a record without its id",
    change: ({ restaurant }) => delete restaurant.entries.permission.store.fields.id,
    code: "JSON_FORM.REFUSED",
    path: `${E}.permission`,
    schema: false,
  },
  {
    why: "no separator",
    change: ({ shop }) => (shop.entries.log.shape.item.separator = ""),
    code: "JSON_FORM.REFUSED",
    path: `${E}.log.shape.item`,
  },
  {
    why: "no columns",
    change: ({ shop }) => (shop.entries.log.shape.item.fields = {}),
    code: "JSON_FORM.REFUSED",
    path: `${E}.log.shape.item`,
  },
  {
    why: "no tags",
    change: ({ messenger }) => (messenger.entries.live.entries.service.entries.contacts.shape.item.tags = {}),
    code: "JSON_FORM.REFUSED",
    path: `${E}.live.entries.service.entries.contacts.shape.item`,
  },
  {
    why: "a bad regular expression",
    change: ({ shop }) => (shop.entries.login.shape.field.of.matching = "["),
    code: "JSON_FORM.TYPE",
    path: `${E}.login.shape.field.of.matching`,
  },
  {
    why: "an example that does not match",
    change: ({ shop }) => (shop.entries.login.shape.field.of.example = "!"),
    code: "JSON_FORM.REFUSED",
    path: `${E}.login.shape.field.of`,
    schema: false,
  },
  {
    why: "a JSON Schema as text",
    change: ({ shop }) => (shop.entries.row.shape.value.schema = "any"),
    code: "JSON_FORM.TYPE",
    path: `${E}.row.shape.value.schema`,
  },
  {
    why: "a JSON Schema that refers to nothing",
    change: ({ shop }) => (shop.entries.row.shape.value.schema = { properties: { a: { $ref: "#/$defs/a" } } }),
    code: "JSON_FORM.SCHEMA",
    path: `${E}.row.shape.value`,
    schema: false,
  },
  {
    why: "a JSON Schema without end",
    change: ({ shop }) => (shop.entries.row.shape.value.schema = { $ref: "#" }),
    code: "JSON_FORM.SCHEMA",
    path: `${E}.row.shape.value`,
    schema: false,
  },
  {
    why: "a JSON Schema with a bad pattern",
    change: ({ shop }) => (shop.entries.row.shape.value.schema = { properties: { a: { pattern: "(" } } }),
    code: "JSON_FORM.SCHEMA",
    path: `${E}.row.shape.value`,
    schema: false,
  },
  {
    why: "an unknown group",
    change: ({ messenger }) => (messenger.entries.live.group = "folder"),
    code: "JSON_FORM.UNKNOWN",
    path: `${E}.live.group`,
  },
  {
    why: "a database below 0",
    change: ({ messenger }) => (messenger.entries.live.db = -1),
    code: "JSON_FORM.REFUSED",
    path: `${E}.live`,
  },
  {
    why: "a database with a prefix",
    change: ({ messenger }) => (messenger.entries.live.prefix = "a:"),
    code: "JSON_FORM.UNKNOWN",
    path: `${E}.live`,
  },
  {
    why: "a secret group",
    change: ({ messenger }) => (messenger.entries.live.secret = true),
    code: "JSON_FORM.UNKNOWN",
    path: `${E}.live`,
  },
  {
    why: "a database in a scope",
    change: ({ messenger }) => (messenger.entries.live.entries.service.entries.inner = messenger.entries.spare),
    code: "JSON_FORM.REFUSED",
    path: `${E}.live.entries.service`,
    schema: false,
  },
  {
    why: "a family without a ttl",
    change: ({ messenger }) => delete messenger.entries.live.entries.service.entries.channel.ttl,
    code: "JSON_FORM.MISSING",
    path: `${E}.live.entries.service.entries.channel`,
  },
  {
    why: "a family marked by an entry that it lacks",
    change: ({ messenger }) => (messenger.entries.live.entries.service.entries.channel.marker = "constructor"),
    code: "JSON_FORM.REFUSED",
    path: `${E}.live.entries.service.entries.channel`,
    schema: false,
  },
  {
    why: "a family forever",
    change: ({ messenger }) => (messenger.entries.live.entries.service.entries.channel.ttl = "never"),
    code: "JSON_FORM.REFUSED",
    path: `${E}.live.entries.service.entries.channel`,
  },
  {
    why: "an entity without a store",
    change: ({ restaurant }) => delete restaurant.entries.user.store,
    code: "JSON_FORM.MISSING",
    path: `${E}.user`,
  },
  {
    why: "a store of another kind",
    change: ({ restaurant }) => (restaurant.entries.user.store.as = "rows"),
    code: "JSON_FORM.UNKNOWN",
    path: `${E}.user.store.as`,
  },
  {
    why: "an entity without an id",
    change: ({ restaurant }) => (restaurant.entries.user.pattern = "user"),
    code: "JSON_FORM.REFUSED",
    path: `${E}.user`,
    schema: false,
  },
  {
    why: "an index on an unknown field",
    change: ({ restaurant }) => (restaurant.entries.user.unique.email.patterns = ["user:mail:{mail}"]),
    code: "JSON_FORM.REFUSED",
    path: `${E}.user`,
    schema: false,
  },
  {
    why: "an index without patterns",
    change: ({ restaurant }) => (restaurant.entries.user.unique.email.patterns = []),
    code: "JSON_FORM.TYPE",
    path: `${E}.user.unique.email.patterns`,
  },
  {
    why: "a condition on a list",
    change: ({ restaurant }) => (restaurant.entries.user.index.adults.where.active = []),
    code: "JSON_FORM.TYPE",
    path: `${E}.user.index.adults.where.active`,
  },
  {
    why: "no replicas",
    change: ({ restaurant }) => (restaurant.entries.user.durability.replicas = 0),
    code: "JSON_FORM.REFUSED",
    path: `${E}.user.durability`,
  },
  {
    why: "a relation of two forms",
    change: ({ restaurant }) => (restaurant.relations.user.role.by = "x"),
    code: "JSON_FORM.TYPE",
    path: "$.relations.user.role",
  },
  {
    why: "an unknown invariant",
    change: ({ shop }) => (shop.invariants[0].kind = "equal"),
    code: "JSON_FORM.UNKNOWN",
    path: "$.invariants[0].kind",
  },
  {
    why: "an invariant of one key",
    change: ({ shop }) => shop.invariants[0].keys.pop(),
    code: "JSON_FORM.TYPE",
    path: "$.invariants[0].keys",
  },
]
