/* Names of entries as dotted paths: how relations, invariants and steps speak of keys. */

/** `{ service: scope("…", { status: … }) }` → `"service.status"` */
export type Paths<E> = {
  [N in keyof E & string]: E[N] extends { readonly entries: infer G } ? `${N}.${Paths<G>}` : N
}[keyof E & string]
