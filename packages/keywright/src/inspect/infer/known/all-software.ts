/* The programs that infer knows, those first whose layout says most. */

import { frameworks } from "./frameworks.ts"
import type { KnownSoftware } from "./known-software.ts"
import { locksAndCaches } from "./locks-and-caches.ts"
import { queues } from "./queues.ts"

export const allSoftware: readonly KnownSoftware[] = [...queues, ...frameworks, ...locksAndCaches]
