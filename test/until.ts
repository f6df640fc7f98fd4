/** Waits until it is so, for a minute at most. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error("it never came to be so")
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
