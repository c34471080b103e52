import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { isPortTaken } from '@tollgate/servers/free-port'
import { spawnDetached, stopProcess } from '@tollgate/servers/local-process'
import { toLine } from '@tollgate/telemetry/error-line'
import { lock } from '../processes/lock.ts'
import { viteProgram } from '../processes/console-build.ts'
import { readOrCreateKeys } from '../machine/keys.ts'
import { stopOrphans } from '../processes/orphans.ts'
import { createLifecycle, type Lifecycle } from '../processes/lifecycle.ts'
import { createStateDir, type Paths } from '../machine/paths.ts'
import { portsFrom, requireFreePorts } from '../processes/ports.ts'
import { fail, log } from '../machine/log.ts'
import { createTerminal } from '../machine/terminal.ts'
import { serviceEnvs } from '../processes/service-env.ts'
import { startArguments, startService, type Service } from '../processes/service.ts'
import { bringUpStores, migrateDatabase } from './start.ts'
import { watchSources } from '../processes/watch-sources.ts'

const CONSOLE_PORT = 5173
const CONSOLE = `http://localhost:${CONSOLE_PORT}`

/** `npm run dev`: the same servers and data; services restart on source changes and Vite serves the console with hot reload. */
export async function dev(paths: Paths, env: LauncherEnv): Promise<number> {
  const lifecycle = createLifecycle()
  return await lifecycle.run(() => begin(paths, env, lifecycle))
}

async function begin(paths: Paths, env: LauncherEnv, lifecycle: Lifecycle): Promise<void> {
  const ports = portsFrom(env.PORT)
  const terminal = createTerminal()
  await createStateDir(paths)
  const lockHandle = await lock(paths, ports.public)
  lifecycle.add({ name: '', stop: lockHandle.release })
  await stopOrphans(paths, ['relay', 'worker', 'control-plane'])
  await requireFreePorts(ports, false)
  if (await isPortTaken(CONSOLE_PORT))
    throw new Error(`port ${CONSOLE_PORT}, where Vite serves the console, is taken by another program; stop it`)
  const keys = await readOrCreateKeys(paths)
  const stores = await bringUpStores({ paths, env, keys, lifecycle, terminal })
  await migrateDatabase(stores.ownerUrl)
  const services = serviceEnvs({ paths, env, ports, keys, stores, consoleDir: '', mode: 'development' })
  const parts = [
    { name: 'control-plane', port: ports.controlPlane },
    { name: 'worker', port: ports.worker },
    { name: 'relay', port: ports.public },
  ] as const
  // Vite serves the console here, and the public port does not.
  const showLine = (service: string, line: string): void =>
    terminal.showServiceLine(service, line.replace(`http://localhost:${ports.public}/setup`, `${CONSOLE}/setup`))
  const started = new Map<string, Service>()
  for (const { name, port } of parts) {
    lifecycle.signal.throwIfAborted()
    const args = await startArguments(paths, name)
    const service = await startService({ paths, name, args, env: { ...services[name], RELAY_PROCESSES: '1' }, port, showLine })
    lifecycle.add({ name, stop: service.stop })
    await service.untilReady(lifecycle.signal)
    started.set(name, service)
  }
  await restartOnChange(paths, started, lifecycle)
  startVite(paths, `http://127.0.0.1:${ports.controlPlane}`, lifecycle)
  log(`services restart on change; API and models at http://localhost:${ports.public}, logs in ${join(paths.stateDir, 'log')}`)
  log(`the console with hot reload: ${CONSOLE}  (Ctrl-C stops everything)`)
  terminal.ready()
}

/** A change in a service restarts that service, a change in a library all of them. */
async function restartOnChange({ root }: Paths, services: ReadonlyMap<string, Service>, lifecycle: Lifecycle): Promise<void> {
  const libs = (await readdir(join(root, 'libs'), { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const folders = [...libs.map(({ name }) => `libs/${name}/src`), ...[...services.keys()].map((name) => `services/${name}/src`)]
  const restart = (files: readonly string[]): void => {
    const changed = files.map((file) => relative(root, file))
    const names = [...services.keys()].filter((name) =>
      changed.some((file) => file.startsWith('libs/') || file.startsWith(`services/${name}/`)),
    )
    log(`${changed.length === 1 ? changed[0] : `${changed.length} files`} changed, restarting ${names.join(', ')}`)
    for (const name of names)
      services
        .get(name)
        ?.restart()
        .catch((error: unknown) => fail(`${name} did not restart: ${toLine(error)}`))
  }
  const stop = await watchSources(
    folders.map((folder) => join(root, folder)),
    restart,
  )
  lifecycle.add({ name: '', stop })
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
