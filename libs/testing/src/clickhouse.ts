import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  /** Ends it without a shutdown. */
  kill(): Promise<void>
  /** Starts it again at its address, with what it has stored. */
  start(): Promise<void>
  /** Ends it and deletes what it has stored. */
  stop(): Promise<void>
}

/** Why no ClickHouse can be started on this machine; undefined: one can. */
export async function whyNoClickHouse(): Promise<string | undefined> {
  return (await findProgram(['python3'])) === undefined ? 'python3 is missing, which runs ClickHouse as a library' : undefined
}

/** ClickHouse on this machine, as the program beside this file serves it. */
export async function startClickHouse(): Promise<TestClickHouse> {
  await installOnce()
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-clickhouse-'))
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
    kill,
    start: async () => {
      child = await spawn()
    },
    stop: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs that install at the same time do so in folders of their own, and one of them stays. */
async function installOnce(): Promise<void> {
  if (existsSync(INSTALLED)) return
  const work = `${INSTALLED}.${randomBytes(6).toString('hex')}`
  try {
    await makeEnvironment(work)
    await run(join(work, 'bin/pip'), ['install', '--quiet', '--target', join(work, 'packages'), PACKAGE])
    await rename(join(work, 'packages'), INSTALLED).catch((error: unknown) => {
      if (!existsSync(INSTALLED)) throw error
    })
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
