/* Settings that systems with limits share. */

import { onOff, whole } from "../settings.ts"

export const limitSettings = {
  limits: onOff(true, "Whether attempts are limited: wrong passwords and tokens, bursts."),
}

export const loginLimitSettings = {
  ...limitSettings,
  failuresPerAccount: whole(20, "Wrong passwords for one account from one address, in five minutes.", { min: 1 }),
  failuresPerAddress: whole(100, "Wrong passwords from one address, for any accounts, in five minutes.", {
    min: 1,
  }),
}

export const refreshSettings = {
  haste: whole(
    100,
    "Milliseconds in which a second use of a refresh token counts as a repeated request, not as theft; the first use is answered only after them.",
    {
      max: 10_000,
    },
  ),
}
