/**
 * Tries docker-compose.yml for real: starts it with a simulated vendor in a container, sets it up, loads it, restarts the relays one by one, kills
 * one, and checks the ledger. Fails if a stream was dropped that was not open on the killed relay.
 * `npx node deploy/try/compose.ts --help` lists the options.
 * Needs .env with UPSTREAM_ALLOW_PRIVATE set to the network's range (SUBNET, 172.31.250.0/24).
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { countsOf, isAnswered, ROOT, setUp, underLoad, untilAnswered, type Stream } from './client.ts'

const { values } = readCommandLine({
  command: 'npx node deploy/try/compose.ts',
  about: 'Starts docker-compose.yml with a simulated vendor, loads it, restarts and kills relays, and checks the ledger.',
  example: 'npx node deploy/try/compose.ts --compose podman-compose --engine podman --k6 k6',
  options: {
    compose: { type: 'string', default: 'docker compose', about: 'the command of Compose' },
    engine: { type: 'string', default: 'docker', about: 'the command of the container engine' },
    address: { type: 'string', default: 'http://127.0.0.1:8080', about: 'where the balancer listens' },
    seconds: { type: 'string', default: '20', about: 'length of the load in seconds' },
    clients: { type: 'string', default: '12', about: 'clients at the same time' },
    k6: { type: 'string', default: '', about: 'the command of k6; without it its smoke test is left out' },
  },
})
const ROOT_DIR = resolve(import.meta.dirname, '../..')
const UP_TIMEOUT_MS = 180_000
const READY_TIMEOUT_MS = 60_000
const SETTLED_TIMEOUT_MS = 180_000
const VENDOR = { container: 'tollgate-trial-vendor', url: 'http://tollgate-trial-vendor:9000' }
const clients = Number(values.clients)
const third = (Number(values.seconds) * 1000) / 3

// Docker Compose reads .env itself; podman-compose passes variables without a value from its own environment only.
const settings = Object.fromEntries((await readFile(join(ROOT_DIR, '.env'), 'utf8')).split('\n').map((line) => line.split(/=(.*)/s)))
const env = inheritedEnv(settings)
const started = Date.now()
await compose('up', '--detach')
await startVendor()
let isWell = true
try {
  isWell = await tryDeployment()
} finally {
  await run(values.engine, 'rm', '--force', VENDOR.container)
}
process.exitCode = isWell ? 0 : 1

async function tryDeployment(): Promise<boolean> {
  await waitUntilHealthy()
  report('healthy', `${secondsSince(started)} s after "up"`)
  const key = await setUp({ url: values.address, vendor: `${VENDOR.url}/kind=sse,hz=50,n=60`, code: settings['SETUP_CODE'] })
  const url = () => values.address
  await untilAnswered(url, key)
  report('first streamed answer', `${secondsSince(started)} s after "up"`)
  report('relays', (await containersOf('relay')).join(', '))

  const loaded = (work: () => Promise<unknown>) => underLoad({ clients, key, url }, async () => await between(work))
  const plain = await loaded(async () => undefined)
  report('plain load', countsOf(plain))
  const restarted = await loaded(restartRelays)
  report('rolling restart', countsOf(restarted))
  let killedAt = Infinity
  const killed = await loaded(async () => {
    killedAt = await killOne()
  })
  const beyond = killed.filter((stream) => !isAnswered(stream) && stream.startedAt > killedAt)
  report('kill -9 of one relay', `${countsOf(killed)}, begun after the kill and dropped: ${beyond.length}`)
  const [worker = ''] = await containersOf('worker')
  if (values.k6 !== '') await untilSettled(worker)
  const hasPassedSmoke = values.k6 === '' || (await smoke())
  const verdict = await runVisibly(values.engine, 'exec', worker, 'node', 'services/worker/src/verify-ledger.ts')
  return [plain, restarted, beyond].every((streams: readonly Stream[]) => streams.every(isAnswered)) && hasPassedSmoke && verdict === 0
}

/** The smoke test compares the wallet with its own requests, so the charges of others must be posted: those of the killed relay after a minute. */
async function untilSettled(worker: string): Promise<void> {
  const deadline = Date.now() + SETTLED_TIMEOUT_MS
  while (!/unposted: 0, open_holds: 0,/.test(await run(values.engine, 'exec', worker, 'node', 'services/worker/src/verify-ledger.ts'))) {
    if (Date.now() > deadline) throw new Error(`charges are not posted after ${SETTLED_TIMEOUT_MS / 1000} s`)
    await wait(2000)
  }
}

function report(what: string, result: string): void {
  console.log(`${what}: ${result}`)
}

function secondsSince(time: number): string {
  return ((Date.now() - time) / 1000).toFixed(1)
}

async function run(command: string, ...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(command, args, { cwd: ROOT_DIR, env, maxBuffer: 1 << 26 })).stdout
}

/** With our terminal as its output; returns its exit code. */
async function runVisibly(command: string, ...args: readonly string[]): Promise<number | null> {
  const child = spawn(command, args, { cwd: ROOT_DIR, env, stdio: ['ignore', 'inherit', 'inherit'] })
  await once(child, 'exit')
  return child.exitCode
}

async function compose(...args: readonly string[]): Promise<void> {
  const [command = 'docker', ...first] = values.compose.split(' ')
  await run(command, ...first, ...args)
}

/** The simulator of load-tests in the compose network, on the relay's image. */
async function startVendor(): Promise<void> {
  const [balancer = ''] = await containersOf('balancer')
  const names = '{{range $name, $network := .NetworkSettings.Networks}}{{$name}} {{end}}'
  const [network = ''] = (await run(values.engine, 'inspect', '--format', names, balancer)).split(' ')
  const folders = ['load-tests', 'tests/support'].flatMap((folder) => ['--volume', `${ROOT_DIR}/${folder}:/${folder}:ro`])
  const options = ['--network', network, '--name', VENDOR.container, ...folders]
  const program = ['node', '/load-tests/vendor/main.ts', '--host', '0.0.0.0', '--port', '9000']
  const image = `${settings['IMAGE_PREFIX'] ?? 'tollgate'}/relay:${settings['VERSION'] ?? 'local'}`
  await run(values.engine, 'run', '--detach', ...options, image, ...program)
}

async function containersOf(service: string): Promise<string[]> {
  const names = await run(values.engine, 'ps', '--filter', `label=com.docker.compose.service=${service}`, '--format', '{{.Names}}')
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

async function between(work: () => Promise<unknown>): Promise<void> {
  await wait(third)
  await work()
  await wait(third)
}

async function restartRelays(): Promise<void> {
  for (const name of await containersOf('relay')) {
    await run(values.engine, 'stop', '--time', '90', name)
    await startRelay(name)
  }
}

/** Returns the time after which no stream was open on the killed relay. */
async function killOne(): Promise<number> {
  const [name = ''] = await containersOf('relay')
  const open = await inRelay(
    name,
    "fetch('http://127.0.0.1:9464/metrics').then(async (r) => console.log(/^relay_open_requests\\S* (\\d+)/m.exec(await r.text())?.[1]))",
  )
  await run(values.engine, 'kill', '--signal', 'KILL', name)
  const killedAt = Date.now()
  report('killed', `${name}, which had ${open.trim()} open requests`)
  await wait(5000)
  await startRelay(name)
  return killedAt
}

/** Starts a relay again and waits until it is ready and the balancer has noticed. */
async function startRelay(name: string): Promise<void> {
  await run(values.engine, 'start', name)
  const isReady = "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (
    await inRelay(name, isReady).then(
      () => false,
      () => true,
    )
  ) {
    if (Date.now() > deadline) throw new Error(`${name} is not ready`)
    await wait(500)
  }
  await wait(3000)
}

async function inRelay(name: string, program: string): Promise<string> {
  return await run(values.engine, 'exec', name, 'node', '-e', program)
}

async function smoke(): Promise<boolean> {
  const given = { ...ROOT, BASE_URL: values.address, VENDOR_URL: VENDOR.url, SLOWER: '2' }
  const flags = Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  return (await runVisibly(values.k6, 'run', '--quiet', ...flags, 'load-tests/k6/smoke.ts')) === 0
}
