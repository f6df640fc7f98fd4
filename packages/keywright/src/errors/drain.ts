/* What can go wrong with a drain. */

import { Refused } from "./outcome.ts"

export const drainAmount = (name: string, from: string, into: string, cause?: unknown) =>
  new Refused(
    "DRAIN.AMOUNT",
    `the drain ${name} cannot add a batch of ${from} to ${into}: something in them is not a number`,
    {
      why: "A batch is added as a whole or not at all, so that nothing counts twice. It stays where it is.",
      fix: "Audit both keys, and correct the values that are not numbers: the next pass adds the batch.",
      ...(cause !== undefined && { cause }),
    },
  )

export const drainNumber = (name: string, cause?: unknown) =>
  new Refused("DRAIN.NUMBER", `a batch number of the drain ${name} is not a whole number`, {
    why: "These numbers ensure that a batch is added once. Without one of them, a batch would be lost or added twice.",
    fix: "Write the number of the shard's last batch into the drain's keys: audit names the key that cannot be read.",
    ...(cause !== undefined && { cause }),
  })
