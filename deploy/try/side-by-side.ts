/**
 * Tries an upgrade: services of another commit run on this commit's schema, then are replaced one by one under load, with both versions beside
 * each other. `npx node deploy/try/side-by-side.ts --help` lists the options. Fails if a stream was dropped or the ledger disagrees.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connectDb } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'
import { findRedisBinary, startRedis } from '@tollgate/servers/redis'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { addChannel, countsOf, isAnswered, setUp, signIn, underLoad, untilAnswered } from './client.ts'

const run = promisify(execFile)
const { values } = readCommandLine({
  command: 'npx node deploy/try/side-by-side.ts',
  about: 'Runs the services of an old commit on the schema of this one, and replaces them one by one under load.',
  example: 'npx node deploy/try/side-by-side.ts --old v1.0.0',
  options: {
    old: { type: 'string', default: 'HEAD~1', about: 'the old commit' },
    seconds: { type: 'string', default: '6', about: 'how long the services run before and between replacements, in seconds' },
    clients: { type: 'string', default: '12', about: 'clients at the same time' },
  },
})
const NEW = resolve(import.meta.dirname, '../..')
const READY_TIMEOUT_MS = 60_000

type Service = { readonly url: string; readonly child: ChildProcess; isReady: boolean; stop(): Promise<number | null> }
type Part = 'control-plane' | 'worker' | 'relay'

const folder = await mkdtemp(join(tmpdir(), 'tollgate-side-by-side-'))
const OLD = join(folder, 'old')
const stops: (() => Promise<unknown>)[] = []
try {
  process.exitCode = await tryUpgrade()
} finally {
  for (const stop of stops.toReversed()) await stop()
  await run('git', ['worktree', 'remove', '--force', OLD], { cwd: NEW })
  await rm(folder, { recursive: true, force: true })
}

async function tryUpgrade(): Promise<number> {
  await checkOut()
  const env = await startStores()
  const vendor = await startVendor()
  stops.push(async () => vendor.server.close())
  const oldInternal = await findFreePort()
  const oldPlane = await startPart(OLD, 'control-plane', env, { INTERNAL_PORT: String(oldInternal) })
  const oldWorker = await startPart(OLD, 'worker', env)
  const relays = [await startRelay(OLD, env, oldInternal), await startRelay(OLD, env, oldInternal)]
  const key = await setUp({ url: oldPlane.url, vendor: vendor.url })
  const url = () => chooseRelay(relays)
  await untilAnswered(url, key)
  console.log(`old (${(await run('git', ['rev-parse', '--short', values.old], { cwd: NEW })).stdout.trim()}) runs on the new schema`)

  const streams = await underLoad({ clients: Number(values.clients), key, url }, async () => {
    const newInternal = await findFreePort()
    const plane = await startPart(NEW, 'control-plane', env, { INTERNAL_PORT: String(newInternal) })
    const session = await signIn(plane.url)
    await addChannel({ url: plane.url, vendor: vendor.url, name: 'of the new control plane', session })
    await pause()
    await startPart(NEW, 'worker', env)
    await oldWorker.stop()
    await pause()
    for (const [at, relay] of [...relays].entries()) {
      relays.push(await startRelay(NEW, env, newInternal))
      relay.isReady = false
      const code = await relay.stop()
      console.log(`old relay ${at + 1} stopped with exit code ${code}; a new one serves`)
      await pause()
    }
    await oldPlane.stop()
    await pause()
  })
  console.log(`streams: ${countsOf(streams)}`)
  const verdict = await verify(env)
  console.log(`ledger: ${verdict === 0 ? 'agrees' : `verifier exits with ${verdict}`}`)
  return verdict === 0 && streams.every(isAnswered) ? 0 : 1
}

/** Lets the clients run for the given seconds. */
async function pause(): Promise<void> {
  await wait(Number(values.seconds) * 1000)
}

/** A relay that takes requests, as a balancer would choose it. */
function chooseRelay(relays: readonly Service[]): string {
  const ready = relays.filter(({ isReady }) => isReady)
  return ready[Math.floor(Math.random() * ready.length)]?.url ?? ''
}

/** A worktree of the old commit with the installed packages of this one. */
async function checkOut(): Promise<void> {
  await run('git', ['worktree', 'add', '--detach', OLD, values.old], { cwd: NEW })
  const { stdout } = await run('find', ['.', '-name', 'node_modules', '-prune', '-not', '-path', './node_modules/*/node_modules'], {
    cwd: NEW,
  })
  for (const path of stdout.trim().split('\n')) await run('cp', ['-al', join(NEW, path), join(OLD, path)])
}

async function startStores(): Promise<Record<string, string>> {
  const binary = await findRedisBinary()
  if (binary === undefined) throw new Error('valkey-server or redis-server is needed')
  await run('chmod', ['711', folder])
  const paths = { dataDir: join(folder, 'postgres'), binDir: join(folder, 'bin') }
  const postgres = await startPostgres({ ...paths, port: await findFreePort(), isDurable: false })
  stops.push(postgres.stop)
  const redis = await startRedis({ binary, dataDir: join(folder, 'redis'), port: await findFreePort(), isDurable: true })
  stops.push(redis.stop)
  const db = connectDb({ url: postgres.url, max: 1, name: 'side-by-side' })
  await migrate(db)
  await db.destroy()
  return {
    LOG_LEVEL: 'warn',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    KEY_CHANNELS: `t1:${randomBytes(32).toString('base64url')}`,
    KEY_OPTIONS: `t1:${randomBytes(32).toString('base64url')}`,
    INTERNAL_SECRETS: randomBytes(32).toString('hex'),
    UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    SETUP_CODE: 'off',
    DRAIN_GRACE: '2',
  }
}

async function startRelay(root: string, env: Record<string, string>, internal: number): Promise<Service> {
  const own = { RELAY_STATE_DIR: join(folder, `relay-${internal}-${stops.length}`) }
  return await startPart(root, 'relay', env, { ...own, CONTROL_PLANE_INTERNAL_URL: `http://127.0.0.1:${internal}` })
}

async function startPart(root: string, part: Part, env: Record<string, string>, more: Record<string, string> = {}): Promise<Service> {
  const port = await findFreePort()
  const name = part.toUpperCase().replace('-', '_')
  const own = { [`${name}_PORT`]: String(port), [`${name}_HOST`]: '127.0.0.1', ...more }
  const child = spawn(process.execPath, [join(root, `services/${part}/src/main.ts`)], {
    cwd: root,
    env: { ...env, ...own },
    stdio: 'inherit',
  })
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    return child.exitCode
  }
  stops.push(stop)
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${part} of ${root} did not become ready`)
    await wait(100)
  }
  return { url, child, isReady: true, stop }
}

/** Streams thirty words in 0.6 s. */
async function startVendor(): Promise<{ server: Server; url: string }> {
  const server = createServer((incoming, answer) => {
    incoming.resume()
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    let left = 30
    const timer = setInterval(() => {
      left -= 1
      const usage = left === 0 ? { usage: { prompt_tokens: 9, completion_tokens: 30, total_tokens: 39 } } : {}
      const choices = [{ index: 0, delta: { content: 'word ' }, finish_reason: left === 0 ? 'stop' : null }]
      answer.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini', choices, ...usage })}\n\n`,
      )
      if (left > 0) return
      clearInterval(timer)
      answer.end('data: [DONE]\n\n')
    }, 20)
    answer.on('close', () => clearInterval(timer))
  })
  const port = await findFreePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${port}` }
}

/** Exit code of the verifier, once the last events are posted. */
async function verify(env: Record<string, string>): Promise<number> {
  await wait(3000)
  const child = spawn(process.execPath, ['services/worker/src/verify-ledger.ts', '--sample', 'all'], {
    cwd: NEW,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await once(child, 'exit')
  return child.exitCode ?? 1
}
