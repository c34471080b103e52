import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnDetached, stopProcess, tailOf, waitUntilListening } from '@tollgate/servers/local-process'
import { requireHaproxy } from '../../deploy/standalone/src/machine/system-packages.ts'

const CONFIG = join(import.meta.dirname, '../../deploy/compose/haproxy.cfg')

export type Places = {
  readonly port: number
  /** Port on which relays and workers reach any control plane. */
  readonly internalPort: number
  readonly relays: readonly number[]
  readonly controlPlanes: readonly { readonly api: number; readonly internal: number }[]
}

/** Starts HAProxy with the routes and checks of the containers' configuration in front of services on this machine. */
export async function startBalancer(places: Places): Promise<{ stop(): Promise<void> }> {
  const binary = await requireHaproxy()
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-balancer-'))
  const file = join(dir, 'haproxy.cfg')
  await writeFile(file, localConfig(await readFile(CONFIG, 'utf8'), places))
  const child = spawnDetached({ command: binary, args: ['-db', '-f', file], env: { FORWARDED_PROTO: 'http' }, cwd: dir })
  await waitUntilListening(child, places.port, tailOf(child))
  return {
    stop: async () => {
      await stopProcess(child, 'SIGTERM')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Replaces the names that a container engine resolves by ports of this machine, and adds the internal one, which has no balancer there. */
function localConfig(text: string, { port, internalPort, relays, controlPlanes }: Places): string {
  const servers = (name: string, ports: readonly number[], fall: number): string =>
    ports.map((one, at) => `  server ${name}-${at + 1} 127.0.0.1:${one} check inter 1s fall ${fall} rise 1`).join('\n')
  const internals = controlPlanes.map(
    ({ internal }, at) => `  server internal-${at + 1} 127.0.0.1:${internal} check inter 1s fall 1 rise 1`,
  )
  const changes: readonly (readonly [RegExp, string])[] = [
    [/^ {2}bind :8080$/m, `  bind 127.0.0.1:${port}`],
    [/^resolvers network\n(?: .*\n)+/m, ''],
    [/^ {2}server-template relay .*$/m, servers('relay', relays, 1)],
    [
      /^ {2}server-template control-plane .*$/m,
      servers(
        'control-plane',
        controlPlanes.map(({ api }) => api),
        2,
      ),
    ],
  ]
  const changed = changes.reduce((config, [pattern, replacement]) => {
    if (!pattern.test(config)) throw new Error(`haproxy.cfg has no ${pattern.source}`)
    return config.replace(pattern, replacement)
  }, text)
  return `${changed}\nlisten internal\n  bind 127.0.0.1:${internalPort}\n  balance leastconn\n${internals.join('\n')}\n`
}
