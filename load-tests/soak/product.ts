import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { familyOf } from '../bench/proc.ts'
import { start, type Side } from '../bench/processes.ts'
import { ROOT } from '../bench/testbed.ts'

/** The product as `npm start` runs it: Postgres, Redis, control plane, worker, relay processes, console. */
export type Product = {
  /** Checkout that it runs from. */
  readonly root: string
  /** Temporary folder of this run. */
  readonly dir: string
  /** Process id of the launcher. */
  readonly launcher: number
  readonly port: number
  readonly origin: string
  /** The services' processes, in a fixed order. */
  readonly processes: readonly ServiceProcess[]
  /** Runs `npm run verify:ledger`. */
  verify(): Promise<Verified>
  stop(): Promise<void>
}

export type ServiceProcess = { readonly name: string; readonly pid: number; readonly inspector: string }
export type Verified = { readonly isClean: boolean; readonly text: string }

const bootstrapOf = (root: string): string => join(root, 'deploy/standalone/bootstrap.mjs')
export const RELAYS = 2
/** Longer than the relay's drain deadline. */
const STOP_MS = 90_000

type ProductOptions = {
  /** Another installed checkout. */
  readonly root?: string
  readonly side?: Side
  /** Every service opens its inspector, which costs memory. */
  readonly isInspected?: boolean
}

/** With more variables of the environment, if they are given. */
export async function startProduct(
  log: (line: string) => void,
  more: Readonly<Record<string, string>> = {},
  { root = ROOT, side, isInspected = true }: ProductOptions = {},
): Promise<Product> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-soak-'))
  // Postgres started by root runs as another user, which must be able to enter the folder.
  await chmod(dir, 0o711)
  const inspectors = join(dir, 'inspectors')
  await mkdir(inspectors)
  const port = await findPorts()
  const env = {
    PORT: String(port),
    TOLLGATE_STATE_DIR: join(dir, 'state'),
    RELAY_PROCESSES: String(RELAYS),
    // The control plane sees one address for all console users, and together they exceed its limit.
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    // The scripted vendors of tasks answer addresses of media on this machine.
    MEDIA_ALLOW_PRIVATE: '127.0.0.0/8',
    ...more,
  }
  const preload = `--import=${join(import.meta.dirname, 'open-inspector.ts')}`
  const launcher = start({
    ...(side === undefined ? {} : { side }),
    command: process.execPath,
    args: [bootstrapOf(root), 'start'],
    cwd: root,
    env: isInspected ? { ...env, NODE_OPTIONS: preload, SOAK_INSPECTORS: inspectors } : env,
    stopTimeoutMs: STOP_MS,
  })
  const stop = async (): Promise<void> => {
    await launcher.stop()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    for (;;) {
      const line = await launcher.lines.next()
      if (line.done === true) throw new Error('the product did not start')
      log(line.value)
      if (line.value.includes('is ready')) break
    }
    void forwardLines(launcher.lines, log)
    const processes = await findProcesses(launcher.pid, isInspected ? inspectors : undefined)
    const { pid } = launcher
    return { root, dir, launcher: pid, port, origin: `http://127.0.0.1:${port}`, processes, verify: () => verify(root, env), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function forwardLines(lines: AsyncIterator<string>, log: (line: string) => void): Promise<void> {
  for await (const line of { [Symbol.asyncIterator]: () => lines }) log(line)
}

/** The relay's processes are a parent, which only distributes connections, and its children. */
async function findProcesses(launcher: number, inspectors: string | undefined): Promise<ServiceProcess[]> {
  const found = new Map<string, ServiceProcess>()
  for (const pid of familyOf(launcher)) {
    const command = await commandOf(pid)
    const service = /services\/([a-z-]+)\/src\/main\.ts$/.exec(command.find((argument) => argument.endsWith('/src/main.ts')) ?? '')?.[1]
    if (service === undefined) continue
    const inspector = inspectors === undefined ? '' : await readFile(join(inspectors, String(pid)), 'utf8')
    const name = service === 'relay' ? nameOfRelay(found) : service
    found.set(name, { name, pid, inspector })
  }
  const missing = PROCESS_NAMES.filter((name) => !found.has(name))
  if (missing.length > 0) throw new Error(`not running: ${missing.join(', ')}`)
  return PROCESS_NAMES.flatMap((name) => found.get(name) ?? [])
}

/** The arguments of a process; none if it ended since it was listed, as those of Postgres do. */
async function commandOf(pid: number): Promise<string[]> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')
}

const RELAY_NAMES = ['relay parent', ...Array.from({ length: RELAYS }, (_, at) => `relay ${at + 1}`)]
const PROCESS_NAMES = ['control-plane', 'worker', ...RELAY_NAMES]

function nameOfRelay(found: ReadonlyMap<string, ServiceProcess>): string {
  const name = RELAY_NAMES.find((one) => !found.has(one))
  if (name === undefined) throw new Error('more relay processes than RELAY_PROCESSES')
  return name
}

async function verify(root: string, env: Readonly<Record<string, string>>): Promise<Verified> {
  const run = Promise.withResolvers<Verified>()
  const own = { PATH: process.env['PATH'] ?? '', ...env }
  execFile(process.execPath, [bootstrapOf(root), 'verify-ledger'], { cwd: root, env: own }, (error, stdout, stderr) => {
    run.resolve({ isClean: error === null && /unposted: 0, open_holds: 0,/.test(stdout), text: stdout + stderr })
  })
  return await run.promise
}

/** A free port followed by four more that the launcher uses, below the ephemeral range. */
async function findPorts(): Promise<number> {
  for (;;) {
    const first = 10_000 + Math.floor(Math.random() * 20_000)
    const areFree = await Promise.all([0, 1, 2, 3, 4].map((more) => isFree(first + more)))
    if (!areFree.includes(false)) return first
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)))
  })
}
