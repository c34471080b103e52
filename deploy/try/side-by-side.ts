/**
 * Tries an upgrade: services of another commit run on this commit's schema, then are replaced one by one under load, with both versions beside
 * each other. `node deploy/try/side-by-side.ts [--old HEAD~1] [--seconds 6]`. Fails if a stream was dropped or the ledger disagrees.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { connectDb } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'
import { findRedisBinary, startRedis } from '@tollgate/servers/redis'

const run = promisify(execFile)
const { values } = parseArgs({
  options: {
    old: { type: 'string', default: 'HEAD~1' },
    seconds: { type: 'string', default: '6' },
    clients: { type: 'string', default: '12' },
  },
})
const NEW = resolve(import.meta.dirname, '../..')
const PASSWORD = 'trial-password'
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
  const key = await setUp(oldPlane.url, vendor.url)
  while ((await stream(relays, key)) !== 'answered') await wait(250)
  console.log(`old (${(await run('git', ['rev-parse', '--short', values.old], { cwd: NEW })).stdout.trim()}) runs on the new schema`)

  const counts = await underLoad(relays, key, async (pause) => {
    const newInternal = await findFreePort()
    const plane = await startPart(NEW, 'control-plane', env, { INTERNAL_PORT: String(newInternal) })
    const api = await signIn(plane.url)
    await call(plane.url, 'POST', '/api/channel/', channelOf(vendor.url, 'of the new control plane'), api)
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
  console.log(`streams: ${JSON.stringify(counts)}`)
  const verdict = await verify(env)
  console.log(`ledger: ${verdict === 0 ? 'agrees' : `verifier exits with ${verdict}`}`)
  return verdict === 0 && Object.keys(counts).join() === 'answered' ? 0 : 1
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

function channelOf(base_url: string, name: string): object {
  return { name, type: 1, key: 'sk-trial', base_url, models: 'gpt-4o-mini', group: 'default', groups: ['default'] }
}

async function setUp(url: string, vendor: string): Promise<string> {
  const names = { username: 'root', password: PASSWORD, confirmPassword: PASSWORD, SelfUseModeEnabled: false, DemoSiteEnabled: false }
  await call(url, 'POST', '/api/setup', names)
  const session = await signIn(url)
  await call(url, 'POST', '/api/channel/', channelOf(vendor, 'of the old control plane'), session)
  await call(url, 'POST', '/api/token/', { name: 'trial', unlimited_quota: true, remain_quota: 0, expired_time: -1 }, session)
  const tokens = await call<readonly { name: string; key: string }[]>(url, 'GET', '/api/token/?p=0&size=100', undefined, session)
  const made = tokens?.find(({ name }) => name === 'trial')
  if (made === undefined) throw new Error('the new token is not in the list')
  return `sk-${made.key}`
}

async function signIn(url: string): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ username: 'root', password: PASSWORD }),
  })
  // The envelope of every console call.
  const { data, message } = (await response.json()) as { data?: { id: number }; message: string }
  if (data === undefined) throw new Error(`sign-in: ${message}`)
  return {
    cookie: response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
    'New-Api-User': String(data.id),
  }
}

async function call<T>(
  url: string,
  method: string,
  path: string,
  body?: object,
  session: Record<string, string> = {},
): Promise<T | undefined> {
  const headers = { 'content-type': 'application/json', ...session }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  // The envelope of every console call; the caller names what it asked for.
  const answer = (await response.json()) as { success: boolean; message: string; data?: T }
  if (!answer.success) throw new Error(`${method} ${path}: ${answer.message}`)
  return answer.data
}

/** Runs clients until the work is done, and counts the outcomes of their streams. `pause` lets them run for the given seconds. */
async function underLoad(
  relays: readonly Service[],
  key: string,
  work: (pause: () => Promise<void>) => Promise<void>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let isOver = false
  const runClient = async (): Promise<void> => {
    while (!isOver) {
      const outcome = await stream(relays, key)
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
  }
  const clients = Array.from({ length: Number(values.clients) }, () => runClient())
  await work(() => wait(Number(values.seconds) * 1000))
  isOver = true
  await Promise.all(clients)
  return counts
}

/** One stream over a relay that takes requests, as a balancer would choose it. */
async function stream(relays: readonly Service[], key: string): Promise<string> {
  const ready = relays.filter(({ isReady }) => isReady)
  const { url = '' } = ready[Math.floor(Math.random() * ready.length)] ?? {}
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'Say something.' }] }),
    })
    const text = await response.text()
    if (response.status !== 200) return `status ${response.status}`
    return text.includes('[DONE]') ? 'answered' : 'cut'
  } catch (error) {
    // Node's fetch puts the error of the socket into `cause`.
    const { cause } = error as { cause?: { code?: string } }
    return cause?.code ?? 'failed'
  }
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
