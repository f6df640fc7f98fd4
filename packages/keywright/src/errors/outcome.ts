/* What became of a call that did not succeed. Callers decide by class:
 *
 *   NotApplied      certain: the server did not carry it out. Try again freely.
 *   OutcomeUnknown  sent, and no answer came: it may or may not have happened.
 *                   Try again only with the same operation id.
 *   Conflict        a precondition did not hold. Nothing was written.
 *   Refused         the server answered with an error. Nothing was written.
 *   WrongType       the key holds another Redis type than its schema says.
 *   Undecodable     the bytes there do not fit the codec. */

import { KeywrightError } from "./error.ts"

export class NotApplied extends KeywrightError {}

export class OutcomeUnknown extends KeywrightError {}

export class Conflict extends KeywrightError {}

export class Refused extends KeywrightError {}

export class WrongType extends Refused {}

export class Undecodable extends KeywrightError {}
