import { useEffect, useRef } from "preact/hooks"
import { IconButton } from "studio/parts/icon-button.tsx"
import { ShownText } from "studio/parts/shown-text.tsx"
import { lasting } from "../parts/ago.ts"
import { Fact } from "../parts/fact.tsx"
import { adminToken } from "../state/about.ts"
import { ActButton } from "../parts/act-button.tsx"
import { cart, type Copy, open, type Opened, opened as nowOpened, schedule, setQuantity } from "./state.ts"

const OFTEN_S = 5

/** One item: its row and its page, and how old what Redis has of them is. */
export function ItemPanel({ opened: { item, row, rowCache, page } }: { readonly opened: Opened }) {
  const wanted = cart.value.get(item) ?? 0
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: "nearest" })
  }, [item])
  return (
    <section class="card item-panel" aria-labelledby="item-name">
      <div class="panel-head">
        <h2 id="item-name" ref={heading} tabIndex={-1}>
          <ShownText text={row.name} />
        </h2>
        <IconButton icon="close" label="Close" onClick={() => (nowOpened.value = undefined)} />
      </div>
      <p>
        <ShownText text={row.description === "" ? "No description." : row.description} lines />
      </p>
      <dl class="facts">
        <Fact name="In stock">{row.qty ?? "not known"}</Fact>
        <Fact name="Its row">
          <CopyText copy={rowCache} fresh="read from the database" missing="not in Redis" />
        </Fact>
        <Fact name="Its page">
          <CopyText
            copy={page}
            fresh="rendered now"
            missing={page.cache === "MISS" ? "in Redis from now on" : "not kept in Redis"}
          />
          <span class="quiet small">
            {" "}
            “<ShownText text={page.title} />
            ”, {page.bytes} bytes
          </span>
        </Fact>
      </dl>
      <p class="buttons">
        <ActButton class="button first" disabled={row.qty === 0} onAct={() => setQuantity(item, wanted + 1)}>
          {wanted === 0 ? "Put it into the cart" : `One more (${wanted} in the cart)`}
        </ActButton>
        <ActButton class="button" onAct={() => open(item)}>
          Open it again
        </ActButton>
        {rowCache.cache !== "HIT" && adminToken.value !== undefined ? (
          <ActButton class="button" onAct={() => schedule(item, OFTEN_S)}>
            Keep its row in Redis
          </ActButton>
        ) : null}
      </p>
    </section>
  )
}

interface CopyProps {
  readonly copy: Copy
  readonly fresh: string
  readonly missing: string
}

function CopyText({ copy: { cache, age, every }, fresh, missing }: CopyProps) {
  if (cache !== "HIT")
    return (
      <>
        {fresh} <span class="badge">{missing}</span>
      </>
    )
  return (
    <>
      {age === undefined ? "" : `${lasting(age)} old `}
      <span class="badge good">from Redis</span>
      {every === undefined ? "" : ` copied every ${lasting(every)}`}
    </>
  )
}
