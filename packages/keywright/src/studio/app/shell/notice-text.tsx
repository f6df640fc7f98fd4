import { notice } from "../state/notice.ts"

export function NoticeText() {
  const said = notice.value
  return (
    <div role="status" class={said === undefined ? "for-readers" : "toast"}>
      {said === undefined ? "" : `${said.message}${said.fix === undefined ? "" : `. ${said.fix}`}`}
    </div>
  )
}
