import { useState } from "preact/hooks"
import type { FormField, Issue } from "../../api.ts"
import { readFields, type FieldTexts } from "./form-values.ts"

const isOf = (name: string, issue: string) => issue === name || issue.startsWith(`${name}.`)

/** The texts of a form and what is wrong with them. Only what differs from `before` is read. */
export function useForm(
  fields: readonly FormField[],
  before: FieldTexts | undefined,
  start: FieldTexts = before ?? {},
) {
  const [texts, setTexts] = useState<FieldTexts>(start)
  const [issues, setIssues] = useState<readonly Issue[]>([])
  return {
    texts,
    setText: (name: string, text: string) => {
      setTexts({ ...texts, [name]: text })
      setIssues(issues.filter(({ field }) => field !== name))
    },
    issueOf: (name: string) => issues.find(({ field }) => isOf(name, field))?.message,
    /** Issues that belong to no field of the form. */
    others: issues.filter(({ field }) => !fields.some(({ name }) => isOf(name, field))),
    setIssues,
    /** The values, or undefined when some field cannot be read: it says why. */
    read: () => {
      const { values, issues: found } = readFields(fields, texts, before)
      setIssues(found)
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return found.length === 0 ? values : undefined
    },
  }
}
