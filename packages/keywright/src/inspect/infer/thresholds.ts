/* How much evidence is enough. Each threshold names the case that set it. After changing one,
 * run infer.test.ts, inherited.test.ts, any-keyspace.test.ts and systems/infer.test.ts, where
 * these cases are. Memory limits are next to what they limit. */

/** Words of a key: literals of the pattern, or names that are data? */
export const words = {
  /** `de`, `fr`, `en` are values of a field elsewhere: three such words at one place are data. */
  leastKnown: 3,
  /** `{user}_liked_{post}`: sixteen on either side, and hardly a combination twice. */
  leastOnEachSide: 16,
  /** At the very beginning, thirty words are users; ten are the names of subsystems. */
  leastLeading: 30,
  /** After a prefix, sixty different words are data however their keys continue. */
  plenty: 60,
  /** `country:de`, `country:at` … each seen once or a few times: eight that nothing else distinguishes. */
  several: 8,
  /** `EURUSD`, `BTCUSD`: five codes in capitals after words that are not. */
  leastCodes: 5,
  /**
   * `stats:views`, `stats:likes` beside twenty other literals are literals too: names make up most of the words at
   * their position.
   */
  shareOfPlace: 0.6,
  /** RedisSMQ numbers its 24 kinds of keys; two queues of which each has a list and a hash. One may be damage. */
  mostKinds: 32,
  leastOfKinds: 2,
  /** `queue:default` and `queues`: most of the words are in the list, or most of the list are the words. */
  shareOfList: 0.6,
  shareOfListItself: 0.5,
} as const

/** Single keys that are not declared. */
export const strays = {
  /** A stray `foo:bar` among 480; of fewer than a hundred keys, each may be meant. */
  leastAround: 100,
  /** `user:{id}` of which twenty are hashes, and then a set: of fewer, the pattern is not known yet. */
  leastOfPattern: 20,
} as const

/** An id right behind a word: `cache3f9a…`. */
export const glued = {
  /** Eight keys with the same beginning; with fewer, it may be chance. */
  least: 8,
  /** `sessionid` is a word: what follows the word must be longer than any ending. */
  shortestId: 12,
  /** `pre`, `app`: shorter beginnings are shared by random texts. */
  shortestWord: 4,
} as const

/** A name before, between or after the same words: `alice_liked_posts`, `config.alice`. */
export const affixes = {
  /** Eight users, each with her `…_liked_posts`; fewer may only look alike. */
  least: 8,
} as const

/** A segment of words and a number that is one name: `cartodb_user_7_db`. */
export const wholeSegments = {
  /** Three databases that a field elsewhere names in full. */
  least: 3,
} as const

/** Keys of well-known programs. */
export const programs = {
  /** `queue:{queue}` and `queues`: one pattern alone could be anybody's. */
  leastPatterns: 2,
} as const

/** Whether values are an enumeration, a flag, a ring, a list of fixed length. */
export const values = {
  /** Twelve order states; thirteen different texts were user agents. */
  mostOfEnumeration: 12,
  /** Twenty values at least, and five of each: three states of six orders do not come again and again. */
  leastRepeated: 20,
  timesEach: 5,
  /** Queues `default`, `high` and `low` of 158 jobs, and then came a fourth: closed after two hundred and forty of each. */
  leastOfEnumeration: 200,
  timesEachOfEnumeration: 40,
  /** Ten values that are all 0 or 1; of fewer, a counter that has just begun. */
  leastFlags: 10,
  /** A week's ring of days: every slot at least thirty times, none half as often as the mean. */
  leastOfRing: 30,
  /** Contributions of five numbers: fifty lists of one length have it on purpose. */
  leastOfLength: 50,
  /** One `lots` among 345 counters, one broken document of 480: damage. Nothing is, among fewer than a hundred. */
  leastBesideDamage: 100,
  mostDamaged: 0.0025,
  /** Five feeds of exactly twenty are trimmed; eight sorted sets of 26 and 27 are not, unless there are thirty. */
  leastFull: 5,
  leastFullOdd: 30,
  /** Three lists of the same ten items or more are worth a question; shorter ones are often alike. */
  leastPile: 10,
  leastPiled: 3,
} as const

/** Whether the fields of a hash are a record's, or data. */
export const records = {
  /** A profile with optional fields: a quarter of them is set on average. */
  shareOfFields: 0.25,
  /** Above forty names, a record has most of them; a map of visitors has each once. */
  mostNames: 40,
  shareOfManyFields: 0.6,
  /** Nine jobs that were not tried yet have no error: of fewer than twenty records, no field is required. */
  leastRequired: 20,
  /** `player_1` to `player_40` of a leaderboard are data; an address has `line1` to `line4`. */
  leastNumbered: 8,
  /** A record with one odd name among its fields, such as `24h`; of a map's, most are odd. */
  mostOdd: 0.2,
} as const

/** Places that hold the same texts hold ids of the same thing. */
export const domains = {
  /** Tokens and slugs: half of one place's values are in the other, at least three, or one where the words agree. */
  share: 0.5,
  least: 3,
  /** Numbers under the same word: `user:{7}` and a field `userId`. */
  shareNamed: 0.6,
  /** Numbers under related words, two at least; two fifths were two counters from 1. */
  leastRelated: 2,
  jaccardRelated: 0.2,
  /** Numbers that no word names: in two parameters half, else nearly all, and it is a guess. */
  jaccardNameless: 0.5,
  jaccardGuess: 0.7,
  /** Numbers with other words: six in common, or four of five, and no counter's. */
  leastTelling: 6,
  leastTellingAlike: 4,
  jaccardTelling: 0.8,
  /** Whatever the words say: numbers of six digits, of which one in a thousand is used. */
  leastScattered: 100_000,
  timesScattered: 1000,
  /** `cache:cart:{user}`: nearly all of these are users, and nearly all users are there. */
  leastElsewhere: 5,
  shareThere: 0.95,
  shareBack: 0.8,
} as const

/** Entities, indexes and links between plain keys. */
export const structure = {
  /** Two of sixty documents out of step are damage; more, and it is not an index. */
  enough: 0.97,
  /** A member of an index that was deleted meanwhile is one of ten. */
  shareOfIds: 0.9,
  /** A field may be an index's parameter when half of its values appear in keys: sets that became empty are gone. */
  shareOfValues: 0.5,
  /** A score that is a field's value: three different ones; two are chance. */
  leastScores: 3,
  /** A conditional index: two documents in it, two that are not, eight that are known. */
  leastOnEachSide: 2,
  leastKnown: 8,
  /** `mayDangle` where one reference of two hundred leads nowhere. */
  shareOfReferences: 0.995,
  /** Contacts of contacts: a third of the ids on one side appear in keys of the other. */
  shareOfInverse: 0.3,
  /** Three members, keys or patterns; two agree by chance. */
  least: 3,
  /** The same ids in two single keys: three users of three may be online for now; ten of ten hardly. */
  leastSame: 10,
  /** Among several common beginnings: the longest that at least four fifths as many patterns share as the most common one. */
  shareOfScope: 0.8,
  /** `rq:job:{job}`, `rq:queues` and three others of RQ: five patterns under one word are a part of their own. */
  leastOfWord: 5,
  /** Nobody reads fifteen rules in a row: the first ones that were suspected. */
  mostLinks: 10,
  /** Tokens: one of ten may look like a word. */
  shareOfTokens: 0.9,
  /** Sessions of redis-sessions have 64 letters and digits, codes of oidc-provider 43, express-session 32; an id has 21. */
  longToken: 32,
} as const

/** Deadlines. */
export const ttls = {
  /** Sliding: two hundred keys, none further gone than half, and not all of the same moment. */
  leastSliding: 200,
  leastLeft: 0.5,
  mostLeft: 0.97,
  /** If a hundred keys have no deadline, such keys never expire; fewer prove nothing. */
  leastNever: 100,
  /** Twenty keys whose deadlines are spread out show the longest; so do few that have just been written. */
  leastSpread: 20,
  mostSpread: 0.6,
  nearlyAll: 0.95,
} as const
