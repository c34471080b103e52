import { join } from 'node:path'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { spawnDetached, stopProcess } from '@tollgate/servers/local-process'
import { lock } from './lock.ts'
import { viteProgram } from './console-build.ts'
import { readOrCreateKeys } from './keys.ts'
import { stopOrphans } from './orphans.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { createStateDir, type Paths } from './paths.ts'
import { portsFrom, requireFreePorts } from './ports.ts'
import { log } from './log.ts'
import { serviceEnvs } from './service-env.ts'
import { startArguments, startService } from './service.ts'
import { bringUpStores, migrateDatabase } from './start.ts'

/** `npm run dev`: the same servers and data; services restart on source changes and Vite serves the console with hot reload. */
export async function dev(paths: Paths, env: LauncherEnv): Promise<number> {
  const lifecycle = createLifecycle()
  return await lifecycle.run(() => begin(paths, env, lifecycle))
}

async function begin(paths: Paths, env: LauncherEnv, lifecycle: Lifecycle): Promise<void> {
  const ports = portsFrom(env.PORT)
  await createStateDir(paths)
  const lockHandle = await lock(paths, ports.public)
  lifecycle.add({ name: '', stop: lockHandle.release })
  await stopOrphans(paths, ['relay', 'worker', 'control-plane'])
  await requireFreePorts(ports, false)
  const keys = await readOrCreateKeys(paths)
  const stores = await bringUpStores(paths, env, keys, lifecycle)
  await migrateDatabase(stores.ownerUrl)
  const services = serviceEnvs({ paths, env, ports, keys, stores, consoleDir: '', mode: 'development' })
  const parts = [
    { name: 'control-plane', port: ports.controlPlane },
    { name: 'worker', port: ports.worker },
    { name: 'relay', port: ports.public },
  ] as const
  for (const { name, port } of parts) {
    lifecycle.signal.throwIfAborted()
    const args = ['--watch', '--watch-preserve-output', ...(await startArguments(paths, name))]
    const service = await startService({ paths, name, args, env: { ...services[name], RELAY_PROCESSES: '1' }, port })
    lifecycle.add({ name, stop: service.stop })
    await service.untilReady(lifecycle.signal)
  }
  startVite(paths, `http://127.0.0.1:${ports.controlPlane}`, lifecycle)
  log(`services restart on change; API and models at http://localhost:${ports.public}, logs in ${join(paths.stateDir, 'log')}`)
  log('the console with hot reload: http://localhost:5173  (Ctrl-C stops everything)')
}

function startVite(paths: Paths, controlPlane: string, lifecycle: Lifecycle): void {
  const folder = join(paths.root, 'web/console')
  const child = spawnDetached({
    command: process.execPath,
    args: [viteProgram(folder), '--strictPort'],
    env: inheritedEnv({ CONTROL_PLANE_ORIGIN: controlPlane }),
    cwd: folder,
    logFile: join(paths.stateDir, 'log/vite.log'),
  })
  lifecycle.add({ name: 'vite', stop: () => stopProcess(child, 'SIGTERM') })
}
