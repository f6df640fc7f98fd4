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

export class NotApplied extends KeywrightError {
  override readonly name = "NotApplied"
}

export class OutcomeUnknown extends KeywrightError {
  override readonly name = "OutcomeUnknown"
}

export class Conflict extends KeywrightError {
  override readonly name = "Conflict"
}

export class Refused extends KeywrightError {
  override readonly name: string = "Refused"
}

export class WrongType extends Refused {
  override readonly name = "WrongType"
}

export class Undecodable extends KeywrightError {
  override readonly name = "Undecodable"
}
