import { attempt } from "../state/notice.ts"
import { checkOut, guest, type Receiver } from "./state.ts"

/** For whom, where to, and how it is paid. */
export function CheckoutForm() {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)) as unknown as Receiver
    void attempt(() => checkOut(values))
  }
  return (
    <form class="body form" onSubmit={submit}>
      <label>
        Name
        <input class="input" name="receiverName" defaultValue={guest.value?.name ?? ""} required autocomplete="name" />
      </label>
      <label>
        Phone
        <input class="input" name="receiverPhone" defaultValue="0901234567" required autocomplete="tel" />
      </label>
      <label>
        Address
        <input
          class="input"
          name="receiverAddress"
          defaultValue="1 Le Loi, Ho Chi Minh City"
          required
          autocomplete="street-address"
        />
      </label>
      <fieldset class="choices">
        <legend>Payment</legend>
        <label>
          <input type="radio" name="paymentMethod" value="CASH" defaultChecked /> In cash
        </label>
        <label>
          <input type="radio" name="paymentMethod" value="VNPAY" /> VNPay
        </label>
      </fieldset>
      <button type="submit" class="button first">
        Order
      </button>
    </form>
  )
}
