import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import { findFreePort } from '@tollgate/servers/free-port'
import { findProgram } from '@tollgate/servers/find-program'
import { spawnDetached, stopProcess, tailOf, waitUntilListening } from '@tollgate/servers/local-process'

const run = promisify(execFile)

/** ClickHouse 26.9 as a Python library (https://pypi.org/project/chdb-core/). */
const PACKAGE = 'chdb-core==26.9.0'
/** Shared by all runs on this machine: the library takes 600 MB. */
const INSTALLED = join(tmpdir(), `tollgate-${PACKAGE.replace('==', '-')}`)

export type TestClickHouse = {
  /** `clickhouse://` with a database of its own name. */
  readonly url: string
  readonly port: number
  /** The process that was started last. */
  readonly pid: number
  /** Ends it without a shutdown. */
  kill(): Promise<void>
  /** Starts it again at its address, with what it has stored. */
  start(): Promise<void>
  /** Ends it and deletes what it has stored, unless in a folder that was given. */
  stop(): Promise<void>
}

/** Why no ClickHouse can be started on this machine; undefined: one can. Installs it if it is not there. */
export async function whyNoClickHouse(): Promise<string | undefined> {
  if ((await findProgram(['python3'])) === undefined) return 'python3 is missing, which runs ClickHouse as a library'
  return await installOnce().then(
    () => undefined,
    (error: unknown) => `${PACKAGE} cannot be installed: ${String(error).slice(0, 300)}`,
  )
}

/** ClickHouse on this machine, as the program beside this file serves it. `kept`: a folder for what it stores. */
export async function startClickHouse(kept?: string): Promise<TestClickHouse> {
  await installOnce()
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'tollgate-clickhouse-')))
  const port = await findFreePort()
  const spawn = async () => {
    const args = [join(import.meta.dirname, 'clickhouse/server.py'), String(port), join(folder, 'data')]
    const child = spawnDetached({ command: 'python3', args, cwd: folder, env: { ...inheritedEnv(), PYTHONPATH: INSTALLED } })
    const tail = tailOf(child)
    await waitUntilListening(child, port, async () => `ClickHouse did not start: ${await tail()}`)
    return child
  }
  let child = await spawn()
  const kill = (): Promise<void> => stopProcess(child, 'SIGKILL')
  return {
    url: `clickhouse://default@127.0.0.1:${port}/tollgate`,
    port,
    get pid() {
      return child.pid ?? 0
    },
    kill,
    start: async () => {
      child = await spawn()
    },
    stop: async () => {
      await kill()
      if (kept === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Held by the process that installs. */
const INSTALLING = `${INSTALLED}.lock`
/** A download of 180 MB on a slow line; a lock that is older was left by a process that was killed. */
const INSTALL_WITHIN_MS = 300_000

/** Test files run side by side: one of them installs, the others wait for it. */
async function installOnce(): Promise<void> {
  while (!existsSync(INSTALLED)) {
    const isMine = await mkdir(INSTALLING).then(
      () => true,
      () => false,
    )
    if (isMine) {
      try {
        if (!existsSync(INSTALLED)) await install()
      } finally {
        await rm(INSTALLING, { recursive: true, force: true })
      }
      return
    }
    const since = await stat(INSTALLING).catch(() => undefined)
    if (since !== undefined && Date.now() - since.mtimeMs > INSTALL_WITHIN_MS) await rm(INSTALLING, { recursive: true, force: true })
    await wait(200)
  }
}

async function install(): Promise<void> {
  const work = `${INSTALLED}.${randomBytes(6).toString('hex')}`
  try {
    await makeEnvironment(work)
    await run(join(work, 'bin/pip'), ['install', '--quiet', '--target', join(work, 'packages'), PACKAGE])
    await rename(join(work, 'packages'), INSTALLED)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Debian has `venv` in a package of its own, which root installs. */
async function makeEnvironment(folder: string): Promise<void> {
  try {
    await run('python3', ['-m', 'venv', folder])
  } catch (error) {
    if (process.getuid?.() !== 0 || (await findProgram(['apt-get'])) === undefined) throw error
    await run('apt-get', ['update', '--quiet'])
    await run('apt-get', ['install', '--yes', '--quiet', '--no-install-recommends', 'python3-venv'])
    await run('python3', ['-m', 'venv', folder])
  }
}
