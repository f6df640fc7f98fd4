/* Primaries that speak TLS with each other and with clients, each with a certificate of its own. They announce
 * names that only the test can resolve. Ask needs("redis-server") first. */

import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort, startRedis, type RealRedis } from "./real-redis.ts"
import { joinPrimaries, untilReady } from "./redis-cluster.ts"

export interface TlsNode extends RealRedis {
  readonly tlsPort: number
}

export interface TlsCluster {
  /** Each also listens without TLS, for the test itself. */
  readonly nodes: readonly TlsNode[]
  /** The certificate of the authority that signed those of the nodes. */
  readonly ca: Buffer
  stop(): Promise<void>
}

/** The bus of a node listens at its port + 10000, which has to be a port too. */
const HIGHEST_PORT = 55_000

export interface TlsNodeOptions {
  /** `"node0.test"`; undefined: it announces its address only. */
  readonly announces: string
  /** Names in its certificate: `["DNS:node0.test"]`. */
  readonly certified: readonly string[]
}

/** They share the slots equally, in this order. */
export async function startTlsPrimaries(options: readonly TlsNodeOptions[]): Promise<TlsCluster> {
  const folder = mkdtempSync(join(tmpdir(), "keywright-tls-cluster-"))
  const nodes: TlsNode[] = []
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    certify(folder, "ca", ["-subj", "/CN=the authority of a test"])
    for (const [i, { announces, certified }] of options.entries()) {
      const signed = ["-CA", join(folder, "ca.pem"), "-CAkey", join(folder, "ca.key")]
      const names = ["-addext", `subjectAltName=${certified.join(",")}`]
      certify(folder, `node${i}`, ["-subj", `/CN=node ${i}`, ...names, ...signed])
      nodes.push(await startNode(folder, `node${i}`, announces))
    }
    await joinPrimaries(nodes.map(({ port, tlsPort }) => ({ port, met: tlsPort })))
    await untilReady({ nodes })
    return { nodes, ca: readFileSync(join(folder, "ca.pem")), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startNode(folder: string, name: string, announces: string): Promise<TlsNode> {
  for (let attempt = 1; ; attempt++) {
    const [port, tlsPort] = [await freePort(), await freePort()]
    if (tlsPort > HIGHEST_PORT) continue
    const files = { "ca-cert": "ca.pem", cert: `${name}.pem`, key: `${name}.key` }
    const tls = Object.entries(files).flatMap(([what, file]) => [`--tls-${what}-file`, join(folder, file)])
    const cluster =
      "--cluster-enabled yes --cluster-node-timeout 15000 --cluster-announce-ip 127.0.0.1 --tls-cluster yes --tls-auth-clients optional".split(
        " ",
      )
    try {
      const args = [...cluster, ...tls, "--tls-port", String(tlsPort), "--cluster-announce-hostname", announces]
      return Object.assign(await startRedis({ port, args }), { tlsPort })
    } catch (error) {
      if (attempt === 20 || !String(error).includes("Address already in use")) throw error
    }
  }
}

const certify = (folder: string, name: string, more: readonly string[]): void => {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout"]
  const files = [join(folder, `${name}.key`), "-out", join(folder, `${name}.pem`)]
  execFileSync("openssl", ["req", "-x509", "-days", "2", ...key, ...files, ...more], { stdio: "ignore" })
}
