import { useState } from "preact/hooks"
import { ShownText } from "studio/parts/shown-text.tsx"
import { Fact } from "../parts/fact.tsx"
import { Frame } from "../shell/frame.tsx"
import { call } from "../state/call.ts"
import { attempt } from "../state/notice.ts"

/** A payment page like VNPay's, for demonstrations: nobody pays anything. */
export function VnPayPage() {
  const [isBusy, setBusy] = useState(false)
  const query = location.search.slice(1)
  const asked = new URLSearchParams(query)
  const finish = async (pays: boolean) => {
    setBusy(true)
    const isDone = await attempt(async () => {
      const { to } = await call<{ to: string }>("POST /-/vnpay/pay", {
        body: { query, pays },
        title: `VNPay reported the payment: ${pays ? "paid" : "cancelled"}`,
        shownAs: "GET /payment/vnpay/ipn",
      })
      location.assign(to)
    })
    if (!isDone) setBusy(false)
  }
  return (
    <Frame drawer={false}>
      <div class="page">
        <section class="card payment" aria-labelledby="payment">
          <h1 id="payment">VNPay sandbox</h1>
          <p class="quiet">This page signs as VNPay does. No money is moved.</p>
          <p class="amount">{(Number(asked.get("vnp_Amount") ?? 0) / 100).toLocaleString("de-DE")} ₫</p>
          <dl class="facts">
            <Fact name="For">
              <ShownText text={asked.get("vnp_OrderInfo") ?? ""} />
            </Fact>
            <div>
              <dt>Reference</dt>
              <dd class="mono">
                <ShownText text={asked.get("vnp_TxnRef") ?? ""} />
              </dd>
            </div>
          </dl>
          <p class="buttons">
            <button type="button" class="button first" disabled={isBusy} onClick={() => void finish(true)}>
              Pay
            </button>
            <button type="button" class="button" disabled={isBusy} onClick={() => void finish(false)}>
              Cancel
            </button>
          </p>
        </section>
      </div>
    </Frame>
  )
}
