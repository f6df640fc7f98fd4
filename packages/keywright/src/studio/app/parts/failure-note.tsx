import type { Failure } from "../../api.ts"
import { Button } from "./button.tsx"

interface Props {
  readonly error: Failure["error"]
  readonly again?: () => void
}

/** What went wrong, why, and what to do about it. */
export const FailureNote = ({ error, again }: Props) => (
  <div class="failure" role="alert">
    <p>
      <span class="badge bad">{error.code}</span> {error.message}
    </p>
    <dl>
      {error.why === undefined ? null : (
        <>
          <dt>Why</dt>
          <dd>{error.why}</dd>
        </>
      )}
      {error.fix === undefined ? null : (
        <>
          <dt>Fix</dt>
          <dd>{error.fix}</dd>
        </>
      )}
    </dl>
    {again === undefined ? null : (
      <p>
        <Button look="small" text="Try again" onClick={again} />
      </p>
    )}
  </div>
)

/** The same instead of a page. */
export const FailurePage = (props: Props) => (
  <div class="page">
    <div class="card">
      <FailureNote {...props} />
    </div>
  </div>
)
