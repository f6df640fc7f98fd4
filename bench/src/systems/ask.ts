interface HttpAnswer {
  readonly status: number
  readonly body: Record<string, string>
}

/** `ask(url, "POST /views", { item: "a" }, token)`: a request in JSON, and what was answered. */
export async function ask(url: string, request: string, body: object, token?: string): Promise<HttpAnswer> {
  const [method, path] = request.split(" ") as [string, string]
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const headers = { "content-type": "application/json", ...bearer }
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  return { status: answer.status, body: text === "" ? {} : (JSON.parse(text) as HttpAnswer["body"]) }
}

/** The same where only success will do: what was answered. */
export async function asked(...[url, request, body, token]: Parameters<typeof ask>): Promise<HttpAnswer["body"]> {
  const answer = await ask(url, request, body, token)
  if (answer.status >= 400) throw new Error(`${request}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
