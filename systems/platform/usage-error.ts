/** What was asked for on the command line cannot be done: the message is all that a person needs. Exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}
