/* What the messenger refuses with. */

import { conflict, forbidden, notFound, Problem, unavailable } from "../../platform/http/problem.ts"

/** The same whatever is wrong with a token, and never with the token in it (MSG-4, MSG-7). */
export const badToken = (message = "this token is not valid") =>
  new Problem(401, "unauthorized", message, { headers: { "WWW-Authenticate": "Token" } })

/** Whether this token is among them is known when it is over. */
export const revoking = () => unavailable("revoking", "tokens are being revoked; try again")

export const notYourProject = () => conflict("project_of_another_tenant", "this project belongs to another tenant")
export const noChannel = () => notFound("there is no such channel", "no_such_channel")
export const noInvite = () => notFound("there is no such invite", "no_such_invite")
export const notContacts = () => forbidden("this is not one of your contacts", "not_a_contact")
export const banned = () => forbidden("one of you banned the other", "banned")
export const bannedHere = () => forbidden("you are banned here", "banned")
export const managersOnly = () => forbidden("this is for managers and owners of the channel", "managers_only")
export const ownersOnly = () => forbidden("this is for owners of the channel", "owners_only")
export const alreadySubscribed = () => conflict("already_subscribed", "this user is already a subscriber")
export const alreadyPending = () => conflict("already_pending", "a request or an invitation is already pending")
export const lastOwner = () => conflict("last_owner", "a channel needs an owner")
export const busy = () => conflict("busy", "others are changing the same things; try again")
