import { pulses, session } from "../state/studio.ts"

/** Which servers are looked at, and what may be done to them. */
export function ServerCard() {
  const servers = new Map(
    Object.values(pulses.value).map(({ flavour, version, up }) => [`${flavour} ${version}`, up] as const),
  )
  return (
    <div class="server-card">
      {servers.size === 0 ? <b>…</b> : null}
      {[...servers].map(([name, up]) => (
        <b key={name}>
          <span class={up ? "dot" : "dot off"} />
          {up ? name : `${name}: no answer`}
        </b>
      ))}
      <span>{session.value?.write ? "Writing is allowed" : "Read only"}</span>
    </div>
  )
}
