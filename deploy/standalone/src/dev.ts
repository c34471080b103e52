import { join } from 'node:path'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { spawnDetached, stopProcess } from '@tollgate/servers/local-process'
import { claim } from './claim.ts'
import { viteProgram } from './console-build.ts'
import { readOrCreateKeys } from './keys.ts'
import { stopLeftovers } from './leftovers.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { makePlace, type Place } from './place.ts'
import { portsFrom, requireFreePorts } from './ports.ts'
import { say } from './say.ts'
import { serviceEnv } from './service-env.ts'
import { startArguments, startService } from './service.ts'
import { bringUpStores, migrateDatabase } from './start.ts'

/** `npm run dev`: the same servers and data; services restart when a source changes, the console is served by Vite with hot reload. */
export async function dev(place: Place, env: LauncherEnv): Promise<number> {
  const lifecycle = createLifecycle()
  return await lifecycle.run(() => begin(place, env, lifecycle))
}

async function begin(place: Place, env: LauncherEnv, lifecycle: Lifecycle): Promise<void> {
  const ports = portsFrom(env.PORT)
  await makePlace(place)
  const claimed = await claim(place, ports.public)
  lifecycle.add({ name: '', stop: claimed.release })
  await stopLeftovers(place, ['relay', 'worker', 'control-plane'])
  await requireFreePorts(ports, false)
  const keys = await readOrCreateKeys(place)
  const stores = await bringUpStores(place, env, keys, lifecycle)
  await migrateDatabase(stores.databaseUrl)
  const services = serviceEnv({ place, env, ports, keys, ...stores, consoleDir: '', mode: 'development' })
  const parts = [
    { name: 'control-plane', port: ports.controlPlane },
    { name: 'worker', port: ports.worker },
    { name: 'relay', port: ports.public },
  ] as const
  for (const { name, port } of parts) {
    lifecycle.signal.throwIfAborted()
    const args = ['--watch', '--watch-preserve-output', ...(await startArguments(place, name))]
    const service = await startService({ place, name, args, env: { ...services, RELAY_PROCESSES: '1' }, port })
    lifecycle.add({ name, stop: service.stop })
    await service.untilReady(lifecycle.signal)
  }
  startVite(place, `http://127.0.0.1:${ports.controlPlane}`, lifecycle)
  say(`services restart on change; API and models at http://localhost:${ports.public}, logs in ${join(place.stateDir, 'log')}`)
  say('the console with hot reload: http://localhost:5173  (Ctrl-C stops everything)')
}

function startVite(place: Place, controlPlane: string, lifecycle: Lifecycle): void {
  const folder = join(place.root, 'web/console')
  const child = spawnDetached({
    command: process.execPath,
    args: [viteProgram(folder), '--strictPort'],
    env: inheritedEnv({ CONTROL_PLANE_ORIGIN: controlPlane }),
    cwd: folder,
    logFile: join(place.stateDir, 'log/vite.log'),
  })
  lifecycle.add({ name: 'vite', stop: () => stopProcess(child, 'SIGTERM') })
}
