import { groupBy } from "../../../schema/group-by.ts"
import { bytesText, countText, secondsText } from "../../../render/quantity.ts"
import { Card } from "../parts/card.tsx"
import { serverOf } from "../state/server-of.ts"
import { pulses } from "../state/studio.ts"

/** The servers as they are now. Systems that share one are named together. */
export function ServersCard({ names }: { readonly names: readonly string[] }) {
  const servers = groupBy(names, serverOf)
  return (
    <Card title={servers.size === 1 ? "Server" : "Servers"}>
      <div class="body servers">
        {[...servers].map(([server, of]) => (
          <Server key={server} server={server} names={of} all={names.length} />
        ))}
      </div>
    </Card>
  )
}

interface ServerProps {
  readonly server: string
  readonly names: readonly string[]
  readonly all: number
}

function Server({ server, names, all }: ServerProps) {
  const pulse = pulses.value[names[0] ?? ""]
  return (
    <section>
      <h3 class="break">
        <span class={pulse?.up === false ? "dot off" : "dot"} />
        {server}
      </h3>
      {names.length === all ? null : <p class="quiet small">{names.join(", ")}</p>}
      {pulse === undefined ? null : (
        <dl class="pairs">
          <dt>Version</dt>
          <dd>
            {pulse.flavour} {pulse.version}
          </dd>
          <dt>Up for</dt>
          <dd>{secondsText(pulse.uptimeSeconds)}</dd>
          <dt>Memory</dt>
          <dd>
            {bytesText(pulse.usedMemory)}
            <span class="quiet">{pulse.maxMemory > 0 ? ` of ${bytesText(pulse.maxMemory)}` : ", no limit"}</span>
          </dd>
          <dt>Clients</dt>
          <dd>{countText(pulse.clients)}</dd>
          <dt>Databases</dt>
          <dd>
            {names.flatMap((name) =>
              (pulses.value[name]?.databases ?? []).map(({ db, keys, expires }) => (
                <div key={`${name} ${db}`}>
                  {db}: {countText(keys)} keys
                  <span class="quiet">
                    {expires > 0 ? `, ${countText(expires)} with a TTL` : ""}
                    {all > 1 ? ` · ${name}` : ""}
                  </span>
                </div>
              )),
            )}
          </dd>
        </dl>
      )}
    </section>
  )
}
