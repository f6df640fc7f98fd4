import { loginLimitSettings, refreshSettings } from "../platform/limits/settings.ts"
import {
  databaseNumber,
  flag,
  hashTag,
  secretWords,
  setting,
  timeZone,
  type ValuesOf,
  whole,
  words,
} from "../platform/settings.ts"

const address = (fallback: string | undefined, doc: string) =>
  setting(fallback, doc, "an http or https address", (text) =>
    /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined,
  )

const MOST_RESTAURANTS = 64

/** They are part of addresses, host names and cookies, and the hash tags of their keys. */
const restaurantNames = setting<readonly string[]>(
  [],
  "More restaurants beside the main one, each with its own data, users and jobs, at /r/<name>/….",
  `up to ${MOST_RESTAURANTS} different names of lower-case letters, digits and -, separated by commas`,
  (text) => {
    const names = text.split(",")
    const areNames = names.every((name) => /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(name))
    return areNames && names.length <= MOST_RESTAURANTS && new Set(names).size === names.length ? names : undefined
  },
)

export const settings = {
  db: databaseNumber(),
  tag: hashTag(),
  restaurants: restaurantNames,
  domain: setting<string | undefined>(
    undefined,
    "The domain for host names of restaurants: with example.com, pho.example.com is the restaurant pho.",
    "a host name such as example.com",
    (text) => (/^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/i.test(text) ? text.toLowerCase() : undefined),
  ),
  cartCacheTtl: whole(300, "Seconds that a cart is cached.", { min: 1, max: 31_536_000 }),
  integrityEvery: whole(3600, "Seconds between two checks of the indexes, for /health; 0: never.", {
    max: 2_000_000,
  }),
  backupEvery: whole(0, "Seconds between two backups; 0: never.", { max: 2_000_000 }),
  mergeCartLines: flag(
    true,
    "Whether a dish that is already in the cart is added to its line instead of as a new line.",
  ),
  cartLines: whole(1000, "The most lines that a cart may have.", { min: 1, max: 100_000 }),
  mostOpenOrders: whole(5000, "How many orders of a user may be neither paid nor confirmed; 0: no limit.", {
    max: 1_000_000,
  }),
  lowStock: whole(10, "A sale that leaves this many of a dish, or fewer, is reported."),
  timeZone: timeZone("Asia/Ho_Chi_Minh", "The time zone of the restaurant, which says when its day ends."),
  frontendUrl: address(undefined, "Where the browser is sent after a payment."),
  "vnpay.tmnCode": words(undefined, "The terminal code that VNPay gave."),
  "vnpay.hashSecret": secretWords("The secret that VNPay's parameters are signed with."),
  "vnpay.payUrl": address("https://sandbox.vnpayment.vn/paymentv2/vpcpay.html", "VNPay's payment page."),
  "vnpay.returnUrl": address(
    undefined,
    "Where VNPay sends the browser: /payment/vnpay/callback as it is reached from outside.",
  ),
  adminEmail: words(undefined, "The first administrator's e-mail (default: ADMIN_EMAIL in the environment)."),
  adminPassword: secretWords("The first administrator's password (default: ADMIN_PASSWORD in the environment)."),
  values: setting<"plain" | "jackson">(
    "plain",
    "How values are stored: plain, or jackson, as Spring's GenericJackson2JsonRedisSerializer writes documents and ids.",
    "plain or jackson",
    (text) => (text === "plain" || text === "jackson" ? text : undefined),
  ),
  javaPackage: setting(
    "com.restaurant.model",
    "The package of the classes that jackson names.",
    "the name of a Java package",
    (text) => (/^[a-z_][\w]*(\.[a-z_][\w]*)*$/i.test(text) ? text : undefined),
  ),
  jwtSecret: secretWords("The secret that signs access tokens (default: random).", {
    minBytes: 32,
    generated: true,
  }),
  passwordLength: whole(6, "The shortest length of a new password.", { min: 1, max: 1024 }),
  ...loginLimitSettings,
  ...refreshSettings,
  registrationsPerMinute: whole(600, "New accounts from one address in a minute.", { min: 1 }),
  jobs: flag(true, "Whether the daily reset, the index checks and the backups run automatically."),
} as const

export type RestaurantSettings = ValuesOf<typeof settings>
