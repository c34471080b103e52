/**
 * Tries docker-compose.yml for real: starts it, sets it up, loads it, restarts one relay and kills another, and checks the ledger.
 * `node deploy/try/compose.ts [--compose 'docker compose'] [--engine docker] [--vendor http://host.docker.internal:9000] [--seconds 20]`
 * Needs the simulated vendor (`npm run vendor -- --host 0.0.0.0 --port 9000` in load-tests) and its range in UPSTREAM_ALLOW_PRIVATE.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'

const run = promisify(execFile)
const { values } = parseArgs({
  options: {
    compose: { type: 'string', default: 'docker compose' },
    engine: { type: 'string', default: 'docker' },
    address: { type: 'string', default: 'http://127.0.0.1:8080' },
    vendor: { type: 'string', default: 'http://host.docker.internal:9000/kind=sse,hz=50,n=60' },
    seconds: { type: 'string', default: '20' },
    clients: { type: 'string', default: '12' },
  },
})
const PASSWORD = 'trial-password'
const MODEL = 'gpt-4o-mini'
const UP_TIMEOUT_MS = 120_000
const clients = Number(values.clients)
const seconds = Number(values.seconds)

type Counts = Record<string, number>
type Session = { readonly cookie: string; readonly userId: number }

const started = Date.now()
await compose('up', '--detach')
await waitUntilHealthy()
const key = await setUp()
const first = await untilAnswered()
report('first streamed answer', `${first}, ${((Date.now() - started) / 1000).toFixed(1)} s after "up"`)

const relays = await containersOf('relay')
report('relays', relays.join(', '))
report('plain load', await underLoad(async () => undefined))
report('rolling restart', await underLoad(restartRelays))
report('kill -9 of one relay', await underLoad(killOne))
const { stdout } = await run(values.engine, [
  'exec',
  (await containersOf('worker'))[0] ?? '',
  'node',
  'services/worker/src/verify-ledger.ts',
]).catch((error: { stdout: string }) => error)
console.log(stdout)

function report(what: string, result: string): void {
  console.log(`${what}: ${result}`)
}

async function compose(...args: readonly string[]): Promise<void> {
  const [command = 'docker', ...first] = values.compose.split(' ')
  await run(command, [...first, ...args], { maxBuffer: 1 << 26 })
}

async function containersOf(service: string): Promise<string[]> {
  const filter = `label=com.docker.compose.service=${service}`
  const { stdout: names } = await run(values.engine, ['ps', '--filter', filter, '--format', '{{.Names}}'])
  return names.split('\n').filter((name) => name !== '')
}

async function waitUntilHealthy(): Promise<void> {
  const deadline = Date.now() + UP_TIMEOUT_MS
  for (;;) {
    // 401: the relay behind the balancer answers, and knows that the key is missing.
    const statuses = await Promise.all(
      ['/api/status', '/v1/models'].map((path) =>
        fetch(values.address + path).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    )
    if (statuses[0] === 200 && statuses[1] === 401) return
    if (Date.now() > deadline) throw new Error(`not healthy after ${UP_TIMEOUT_MS / 1000} s: ${statuses.join(', ')}`)
    await wait(250)
  }
}

/** Sets the system up unless it is, adds the simulated vendor, and returns the key of a new token. */
async function setUp(): Promise<string> {
  const env = Object.fromEntries((await readFile('.env', 'utf8')).split('\n').map((line) => line.split(/=(.*)/s)))
  const names = { username: 'root', password: PASSWORD, confirmPassword: PASSWORD, SelfUseModeEnabled: false, DemoSiteEnabled: false }
  await call('POST', `/api/setup?code=${env['SETUP_CODE']}`, { ...names, code: env['SETUP_CODE'] })
  const session = await signIn()
  const channel = { name: 'trial', type: 1, key: 'sk-trial', base_url: values.vendor, models: MODEL, group: 'default', groups: ['default'] }
  await call('POST', '/api/channel/', channel, session)
  const name = `trial-${Date.now()}`
  await call('POST', '/api/token/', { name, unlimited_quota: true, remain_quota: 0, expired_time: -1 }, session)
  const tokens = await call<readonly { name: string; key: string }[]>('GET', '/api/token/?p=0&size=100', undefined, session)
  const made = tokens?.find((token) => token.name === name)
  if (made === undefined) throw new Error('the new token is not in the list')
  return `sk-${made.key}`
}

async function signIn(): Promise<Session> {
  const response = await fetch(`${values.address}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
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
    userId: data.id,
  }
}

async function call<T>(method: string, path: string, body: object | undefined, session?: Session): Promise<T | undefined> {
  const headers = { 'content-type': 'application/json', ...(session && { cookie: session.cookie, 'New-Api-User': String(session.userId) }) }
  const response = await fetch(values.address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  // The envelope of every console call; the caller names what it asked for.
  const answer = (await response.json()) as { success: boolean; message: string; data?: T }
  if (!answer.success) console.log(`${method} ${path.split('?')[0]}: ${answer.message}`)
  return answer.data
}

/** The first stream after set-up; relays learn of a new channel within a second. */
async function untilAnswered(): Promise<string> {
  for (let left = 20; left > 0; left -= 1) {
    const outcome = await stream(key)
    if (outcome === 'answered') return outcome
    await wait(250)
  }
  throw new Error('no stream was answered')
}

/** One stream; the outcome in a word: answered, cut (a stream that did not finish), a status, or an error code. */
async function stream(token: string): Promise<string> {
  try {
    const response = await fetch(`${values.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'Say something.' }] }),
    })
    const text = await response.text()
    if (response.status !== 200) return String(response.status)
    return text.includes('[DONE]') ? 'answered' : 'cut'
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return cause?.code ?? 'failed'
  }
}

/** Runs the clients for the given seconds, does something in the middle, and says the outcomes. */
async function underLoad(disturb: () => Promise<unknown>): Promise<string> {
  const counts: Counts = {}
  let open = 0
  let isOver = false
  const runClient = async (): Promise<void> => {
    while (!isOver) {
      open += 1
      const outcome = await stream(key)
      open -= 1
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
  }
  const running = Array.from({ length: clients }, () => runClient())
  await wait((seconds * 1000) / 3)
  const openBefore = open
  await disturb()
  await wait((seconds * 1000) / 3)
  isOver = true
  await Promise.all(running)
  return `${JSON.stringify(counts)} (${openBefore} open when it began)`
}

async function restartRelays(): Promise<void> {
  for (const name of await containersOf('relay')) {
    await run(values.engine, ['stop', '--time', '90', name])
    await startRelay(name)
  }
}

async function killOne(): Promise<void> {
  const [name = ''] = await containersOf('relay')
  await run(values.engine, ['kill', '--signal', 'KILL', name])
  await wait(5000)
  await startRelay(name)
}

/** Starts a relay again and waits until it is ready and the balancer has noticed. */
async function startRelay(name: string): Promise<void> {
  await run(values.engine, ['start', name])
  const isReady = "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
  while (
    await run(values.engine, ['exec', name, 'node', '-e', isReady]).then(
      () => false,
      () => true,
    )
  )
    await wait(500)
  await wait(3000)
}
