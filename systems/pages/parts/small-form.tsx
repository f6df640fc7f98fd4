import { attempt } from "../state/notice.ts"

interface Props {
  readonly label: string
  readonly placeholder: string
  readonly button?: string
  readonly onSubmit: (text: string) => Promise<unknown>
}

/** One field; Enter sends it. What is typed while that is on its way stays. */
export function SmallForm({ label, placeholder, button = "Add", onSubmit }: Props) {
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const textIn = () => String(new FormData(form).get("text") ?? "").trim()
    const text = textIn()
    if (text !== "" && (await attempt(() => onSubmit(text))) && textIn() === text) form.reset()
  }
  return (
    <form class="small-form" onSubmit={(event) => void submit(event)}>
      <input class="input" name="text" aria-label={label} placeholder={placeholder} autocomplete="off" required />
      <button type="submit" class="button small">
        {button}
      </button>
    </form>
  )
}
