/* Settings that systems with limits share. */

import { onOff, whole } from "../settings.ts"

export const limitSettings = {
  limits: onOff(true, "Whether attempts are limited: wrong passwords and tokens, bursts."),
}

export const loginLimitSettings = {
  ...limitSettings,
  failuresPerAccount: whole(20, "Wrong passwords of one account from one address, in five minutes.", { min: 1 }),
  failuresPerAddress: whole(100, "Wrong passwords from one address, of whatever accounts, in five minutes.", {
    min: 1,
  }),
}

export const refreshSettings = {
  haste: whole(
    100,
    "Milliseconds in which a second use of a refresh token is haste, not theft; the first is answered after them.",
    {
      max: 10_000,
    },
  ),
}
