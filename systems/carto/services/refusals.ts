/* What is refused, and in which words. */

import { conflict, forbidden, notFound, Problem, unauthorized } from "../../platform/http/problem.ts"

export const noUser = (username: string) => notFound(`there is no user ${username}`, "no_such_user")
export const noTable = () => notFound("there is no such table", "no_such_table")
export const noToken = () => notFound("there is no such token", "no_such_token")
export const usernameTaken = (username: string) => conflict("username_taken", `user ${username} already exists`)
export const idTaken = (id: number) => conflict("id_taken", `another user has the id ${id}`)
export const tableTaken = (table: string) => conflict("table_taken", `table ${table} already exists`)
export const tooManyTables = (most: number) =>
  conflict("too_many", `there are ${most} tables already, which is the limit`)
export const tooManyBytes = (most: number) =>
  conflict("too_many", `the infowindows of all tables have ${most} bytes together at most`)
export const tooManyVisualizations = (most: number) =>
  conflict("too_many", `this user has ${most} visualizations already, which is the limit`)
export const busy = (username: string) => conflict("busy", `${username} is being renamed; try again`)

/** The record by which a user is found lacks something (CDB-4). */
export const incomplete = (username: string, field: string) =>
  new Problem(
    500,
    "metadata_incomplete",
    `the metadata of user ${username} is incomplete: ${field} is missing; restore it with POST /jobs/restore/run`,
    { details: { username, field } },
  )

export const noCredentials = () => unauthorized("this needs an API key (?api_key=) or a token")
export const badCredentials = () => unauthorized("this API key or token is not valid here")
export const notYours = () => forbidden("this belongs to another user", "not_yours")

export const isTaken = (error: unknown): boolean =>
  error instanceof Problem && ["username_taken", "id_taken"].includes(error.code)
