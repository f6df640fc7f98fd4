/** A client whose errors are what its calls say, and nothing more. */
export const quiet = <C extends { on(event: "error", listener: () => void): unknown }>(client: C): C => {
  client.on("error", () => undefined)
  return client
}
