const known = new Set(["string", "hash", "list", "set", "zset", "stream"])

interface Props {
  readonly type: string
  /** What the schema calls it, where that says more: a counter, an entity. */
  readonly kind?: string
}

/** A Redis type in its colour. */
export const TypeName = ({ type, kind }: Props) => (
  <span class={known.has(type) ? `type t-${type}` : "type"}>{kind === undefined || kind === type ? type : kind}</span>
)
