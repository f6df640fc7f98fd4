import { useState } from "preact/hooks"
import { Frame } from "../shell/frame.tsx"
import { messageOf } from "../state/notice.ts"

export interface LoginField {
  readonly name: string
  readonly label: string
  readonly type?: "text" | "email" | "password"
  readonly value?: string
  readonly optional?: boolean
  readonly autocomplete?: string
}

export const passwordField = {
  name: "password",
  label: "Password",
  type: "password",
  autocomplete: "current-password",
} as const satisfies LoginField

interface Props {
  readonly title: string
  readonly lead: string
  readonly fields: readonly LoginField[]
  /** Why one has to log in again. */
  readonly why?: string | undefined
  readonly button?: string
  readonly onSubmit: (values: Readonly<Record<string, string>>) => Promise<void>
}

/** A way in: fields, a button, and what went wrong beside it. */
export function LoginForm({ title, lead, fields, why, button = "Log in", onSubmit }: Props) {
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)) as Record<string, string>
    setBusy(true)
    setWrong(undefined)
    try {
      await onSubmit(values)
    } catch (error) {
      setWrong(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <form class="card login" onSubmit={(event) => void submit(event)}>
      <h1>{title}</h1>
      <p class="quiet">{lead}</p>
      {why === undefined ? null : (
        <p class="note warn" role="status">
          {why}
        </p>
      )}
      {fields.map(({ name, label, type = "text", value = "", optional = false, autocomplete = "off" }) => (
        <label key={name}>
          {label}
          <input
            class="input"
            name={name}
            type={type as "text"}
            defaultValue={value}
            required={!optional}
            autocomplete={autocomplete as never}
          />
        </label>
      ))}
      {wrong === undefined ? null : (
        <p class="note bad" role="alert">
          {wrong}
        </p>
      )}
      <button class="button first" type="submit" disabled={isBusy}>
        {button}
      </button>
    </form>
  )
}

export const LoginPage = (props: Props) => (
  <Frame>
    <div class="page">
      <LoginForm {...props} />
    </div>
  </Frame>
)
