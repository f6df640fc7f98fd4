/** In place of a secret. */
export const Redacted = () => <span class="redacted">secret</span>
