/** DEL, if the string has this value: a unique value may belong to another record by now. */
export interface DeleteIf {
  readonly write: "delete-if"
  readonly key: string
  readonly value: string
}
