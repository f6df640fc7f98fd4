/* What became of a call that did not succeed. Callers decide by class:
 *
 *   NotApplied      certain: the server did not carry it out. Try again freely.
 *   OutcomeUnknown  sent, and no answer came: it may or may not have happened.
 *                   Try again only with the same operation id. Or it was carried out in part,
 *                   as some calls of a $multi may be: PLAN.HALF_WRITTEN.
 *   Conflict        a precondition did not hold. Nothing was written.
 *   Refused         the server answered with an error. Nothing was written.
 *   WrongType       the key holds another Redis type than its schema says.
 *   Undecodable     the bytes there do not fit the codec. */

import { KeywrightError } from "./error.ts"

/**
 * The call certainly had no effect: the server was not reached, or it refused before doing anything. It may be repeated.
 * @example
 * const attempt = () => db.sold({ item: "item1" }).increment()
 * await attempt().catch((error: unknown) => {
 *   if (error instanceof NotApplied) return attempt()
 *   throw error
 * })
 */
export class NotApplied extends KeywrightError {}

/**
 * The connection was lost, or time was up, after the call was sent: it may have taken effect. Repeat it with the same
 * `operationId`, and it is carried out once.
 * @example
 * const operationId = crypto.randomUUID()
 * const attempt = () => db.sold({ item: "item1" }).increment(1, { operationId })
 * await attempt().catch((error: unknown) => {
 *   if (error instanceof OutcomeUnknown) return attempt()
 *   throw error
 * })
 */
export class OutcomeUnknown extends KeywrightError {}

/**
 * Something that the call relies on is not so: a unique value is taken, a record was changed meanwhile, or a step said so.
 * Nothing was written.
 * @example
 * await db.user.create({ email: "ada@example.com", name: "Ada" }).catch((error: unknown) => {
 *   if (error instanceof Conflict && error.code === "INDEX.UNIQUE_TAKEN") return undefined
 *   throw error
 * })
 */
export class Conflict extends KeywrightError {}

/**
 * The server answered with an error, such as that this user may not do it, and nothing was written. `code` begins with
 * `SERVER.` and the server's own word for it.
 * @example
 * const isForbidden = (error: unknown) => error instanceof Refused && error.code === "SERVER.NOPERM"
 */
export class Refused extends KeywrightError {}

/**
 * The key holds another Redis type than the schema says. `audit` finds such keys.
 * @example
 * const isWrong = (error: unknown) => error instanceof WrongType && error.key
 */
export class WrongType extends Refused {}

/**
 * A stored value that its codec cannot read. Methods that read many elements can leave such an element out.
 * @example
 * const skipped: Undecodable[] = []
 * const cart = await db.cart({ token: "EB93" }).all({ onUndecodable: (error) => skipped.push(error) })
 */
export class Undecodable extends KeywrightError {}
