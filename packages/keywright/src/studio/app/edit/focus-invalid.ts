/** Puts the focus on the first field that something is wrong with, once the page shows it. */
export const focusInvalid = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
