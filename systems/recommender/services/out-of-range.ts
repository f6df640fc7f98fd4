/* Numbers that decode, and that the recommender never writes: a day outside the ring, a
 * category that does not exist. Other programs may have written them (ALL-11). */

import { Undecodable } from "keywright"

/** What `part` of a key is not: `outOfRange(db.settings(), db.settings.pattern, "day_index", "0 to 6")`. */
export const outOfRange = ({ key }: { readonly key: string }, pattern: string, part: string, range: string) =>
  new Undecodable("VALUE.OUT_OF_RANGE", `${part} of ${key} is not ${range}`, { key, pattern })
