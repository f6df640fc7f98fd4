import { isAway } from "../state/away.ts"

export const AwayBanner = () =>
  isAway.value ? (
    <p class="banner" role="alert">
      The server does not answer. This page tries again by itself.
    </p>
  ) : null
