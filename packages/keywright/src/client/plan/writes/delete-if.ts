/** DEL, if the string is this one: a unique value may be another record's by now. */
export interface DeleteIf {
  readonly write: "delete-if"
  readonly key: string
  readonly value: string
}
