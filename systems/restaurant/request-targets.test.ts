/* A role that may change one dish, and everything that a request target can be made to
 * look like: decided is on what is served, so no spelling opens another dish. */

import { afterEach, beforeEach, expect, test } from "vitest"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { rawRequest } from "../platform/testing/raw-http.ts"
import { login, open, PASSWORD, type Restaurant } from "./restaurant.cases.ts"

onAnyServerAndInFullOnCluster("a role that holds one literal path", (server) => {
  let served: Restaurant
  let own: string
  let other: string
  let token: string
  beforeEach(async () => {
    served = await open(server())
    own = await served.dish({ name: "own" })
    other = await served.dish({ name: "other" })
    const boss = { token: served.boss }
    const made = async (request: string, body: object) =>
      ((await served.call(request, { ...boss, body })).body as { id: string }).id
    const roleId = await made("POST /api/roles", { name: "ONE" })
    const path = { name: "one", apiPath: `/api/dishes/${own}`, method: "PUT", module: "M" }
    const permissionId = await made("POST /api/permissions", path)
    await served.call(`PUT /api/roles/${roleId}/permissions`, { ...boss, body: { permissionIds: [permissionId] } })
    await made("POST /api/users", { username: "sam", email: "sam@example.com", password: PASSWORD, roleId })
    token = (await login(served, "sam@example.com")).token
  })
  afterEach(() => served.close())

  const put = (target: string, headers = {}) =>
    rawRequest(served.url, `PUT ${target}`, { authorization: `Bearer ${token}`, ...headers }, '{"name":"changed"}')
  const nameOf = async (id: string) => ((await served.call(`GET /api/dishes/${id}`)).body as { name: string }).name

  test("opens that dish, however its id is encoded", async () => {
    expect((await put(`/api/dishes/${own}`)).status).toBe(200)
    expect((await put(`/api/dishes/%3${own}`)).status).toBe(200)
    expect((await put(`http://elsewhere/api/dishes/${own}?`)).status).toBe(200)
    expect(await nameOf(own)).toBe("changed")
  })

  test("opens no other dish, whatever the target looks like", async () => {
    const targets = [
      `/api/dishes/${other}`,
      `/api/dishes/${other}#/${own}`,
      `/api/dishes/${other}#/api/dishes/${own}`,
      `/api/dishes/${other}?x=1#/${own}`,
      `/api/dishes/${other}?/api/dishes/${own}`,
      `/api/dishes/${other}?id=${own}`,
      `/api/dishes/${other}/${own}`,
      `/api/dishes/${other}//${own}`,
      `/api/dishes/${other};/${own}`,
      `/api/dishes/${other};id=${own}`,
      `/api/dishes/${other}%23/${own}`,
      `/api/dishes/${other}%2523/${own}`,
      `/api/dishes/${other}%3F/${own}`,
      `/api/dishes/${other}%2F${own}`,
      `/api/dishes/${other}%252F${own}`,
      `/api/dishes/${other}%00/${own}`,
      `/api/dishes/${own}/../${other}`,
      `/api/dishes/${own}/..%2F${other}`,
      `/api/dishes/${own}/%2e%2e/${other}`,
      `/api/dishes/${own}/.%2E/${other}`,
      `/api/dishes/${own}\\..\\${other}`,
      `/api/dishes/${own}%5C..%5C${other}`,
      `/api/dishes/./${other}`,
      `//api/dishes/${own}/../../api/dishes/${other}`,
      `//elsewhere/api/dishes/${other}`,
      `/api/dishes/%3${other}`,
      `http://elsewhere/api/dishes/${other}#/${own}`,
      `http://elsewhere/api/dishes/${other}`,
      `http://api/dishes/${own}/api/dishes/${other}`,
      `/API/dishes/${other}`,
      `/api/dishes/${other}/`,
    ]
    for (const target of targets) {
      const { status } = await put(target)
      expect([target, status < 500, status >= 400]).toEqual([target, true, true])
    }
    for (const header of ["x-original-url", "x-rewrite-url", "x-forwarded-path", "x-http-method-override"])
      expect((await put(`/api/dishes/${other}`, { [header]: `/api/dishes/${own}` })).status).toBe(403)
    expect(await nameOf(other)).toBe("other")
  })
})
