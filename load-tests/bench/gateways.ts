import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../libs/servers/src/free-port.ts'
import relayPackage from '../../services/relay/package.json' with { type: 'json' }
import { makeBody, pathOf } from '../scenarios/bodies.ts'
import type { Scenario } from '../scenarios/scenarios.ts'
import { responsePath } from '../vendor/response-spec.ts'
import { familyOf } from './proc.ts'
import { ignoreOutput, readLine, start, waitUntilReady, type Started } from './processes.ts'
import { LOAD_TESTS, ROOT, type Testbed } from './testbed.ts'

export type Request = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly keys: string
}

/** A gateway between clients and the vendor, or the vendor itself. */
export type Gateway = {
  readonly name: string
  readonly port: number
  /** The processes whose CPU and memory count; empty for the vendor itself. */
  pids(): readonly number[]
  request(scenario: Scenario): Request
  /** Port of its inspector, which SIGUSR1 opens; 0 if it has none. */
  readonly inspectPort: number
  stop(): Promise<void>
}

const isStream = ({ answer }: Scenario) => answer.kind === 'sse' || answer.kind === 'blast'

const bodyOf = (scenario: Scenario): string =>
  makeBody(scenario.client, { model: scenario.name, bytes: scenario.bodyBytes, stream: isStream(scenario) })

/** No gateway: the baseline of added latency. */
export function direct(testbed: Testbed): Gateway {
  return {
    name: 'direct',
    port: testbed.vendorPort,
    pids: () => [],
    request: forwardedRequest,
    inspectPort: 0,
    stop: async () => undefined,
  }
}

/** The request to a proxy that only forwards: the vendor's path, in the client's format even where the relay translates. */
function forwardedRequest(scenario: Scenario): Request {
  const path = responsePath(scenario.answer) + pathOf(scenario.client, scenario.name, isStream(scenario))
  return { path, headers: {}, body: bodyOf(scenario), keys: '' }
}

function gatewayOf(name: string, port: number, server: Started, request: Gateway['request'], inspectPort = 0): Gateway {
  ignoreOutput(server)
  return { name, port, pids: () => familyOf(server.pid), request, inspectPort, stop: () => server.stop() }
}

type ProxyKind = 'floor' | 'naive' | 'naive-fetch'
const PROXIES: Readonly<Record<ProxyKind, readonly string[]>> = {
  floor: ['floor/floor.ts'],
  naive: ['floor/naive.ts'],
  'naive-fetch': ['floor/naive.ts'],
}

/** The floor and the Web-standard variants. */
export async function startProxy(kind: ProxyKind, testbed: Testbed): Promise<Gateway> {
  const args = [...PROXIES[kind], String(testbed.vendorPort), ...(kind === 'naive-fetch' ? ['fetch'] : [])]
  const server = start({ side: 'gateway', command: process.execPath, args, cwd: LOAD_TESTS })
  const { port } = await readLine<{ port: number }>(server)
  return gatewayOf(kind, port, server, forwardedRequest)
}

/** The floor with the ledger's two calls: the lower bound for a gateway of this design. */
export async function startFloorWithLedger(testbed: Testbed): Promise<Gateway> {
  const args = ['floor/floor-with-ledger.ts', String(testbed.vendorPort), join(ROOT, 'services/relay/test/ledger-client.ts')]
  const server = start({ side: 'gateway', command: process.execPath, args, cwd: LOAD_TESTS, env: testbed.env })
  const { port } = await readLine<{ port: number }>(server)
  return gatewayOf('floor with ledger', port, server, (scenario) => ({
    ...forwardedRequest(scenario),
    keys: testbed.keys[scenario.accounts],
  }))
}

export async function startNginx(testbed: Testbed): Promise<Gateway> {
  const binary = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v'], { stdio: 'ignore' }).status === 0)
  if (binary === undefined) throw new Error('the bench needs nginx (apt-get install nginx-light)')
  const port = await findFreePort()
  const dir = join(testbed.dir, 'nginx')
  await mkdir(dir)
  const template = await readFile(join(LOAD_TESTS, 'floor/nginx.conf'), 'utf8')
  const variables: Readonly<Record<string, string>> = { DIR: dir, PORT: String(port), VENDOR: String(testbed.vendorPort) }
  await writeFile(
    join(dir, 'nginx.conf'),
    template.replaceAll(/@([A-Z]+)@/g, (whole, name: string) => variables[name] ?? whole),
  )
  const server = start({ side: 'gateway', command: binary, args: ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', join(dir, 'error.log')] })
  await waitUntilReady(port, '/')
  return gatewayOf('nginx', port, server, forwardedRequest)
}

type RelayOptions = {
  readonly processes?: number
  /** Modules of negative/ to preload. */
  readonly preloads?: readonly string[]
  readonly flags?: readonly string[]
  /** Variables beside those of the testbed. */
  readonly env?: Readonly<Record<string, string>>
}

/** Node's options in the relay's start script. */
const START_FLAGS = relayPackage.scripts.start.split(' ').slice(1, -1)

export async function startRelay(
  testbed: Testbed,
  { processes = 1, preloads = [], flags = [], env = {} }: RelayOptions = {},
): Promise<Gateway> {
  const port = await findFreePort()
  const inspectPort = await findFreePort()
  const name = processes === 1 ? 'relay' : `relay × ${processes}`
  const imports = preloads.flatMap((preload) => ['--import', join(LOAD_TESTS, 'negative', `${preload}.ts`)])
  const server = start({
    side: 'gateway',
    command: process.execPath,
    args: [`--inspect-port=${inspectPort}`, ...imports, ...START_FLAGS, ...flags, 'services/relay/src/main.ts'],
    cwd: ROOT,
    env: {
      ...testbed.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      RELAY_HOST: '127.0.0.1',
      RELAY_PORT: String(port),
      RELAY_PROCESSES: String(processes),
      RELAY_STATE_DIR: join(testbed.dir, `relay-${port}`),
      NODE_COMPILE_CACHE: join(tmpdir(), 'tollgate-bench-compile-cache'),
      UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
      DRAIN_GRACE: '0',
      DRAIN_DEADLINE: '1',
      ...env,
    },
  })
  await waitUntilReady(port, '/readyz')
  return gatewayOf(name, port, server, relayRequest(testbed.keys), inspectPort)
}

export const relayRequest =
  (keys: Testbed['keys']) =>
  (scenario: Scenario): Request => ({
    path: pathOf(scenario.client, scenario.name, isStream(scenario)),
    headers: scenario.client === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {},
    body: bodyOf(scenario),
    keys: keys[scenario.accounts],
  })

/** @portkey-ai/gateway from npm; request headers name its upstream. */
export async function startPortkey(testbed: Testbed): Promise<Gateway> {
  const port = await findFreePort()
  const server = start({
    side: 'gateway',
    command: process.execPath,
    args: ['node_modules/@portkey-ai/gateway/build/start-server.js', '--headless', `--port=${port}`],
    cwd: LOAD_TESTS,
    env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: 'localhost,127.0.0.1' },
  })
  await waitUntilReady(port, '/')
  const request = (scenario: Scenario): Request => ({
    path: pathOf('openai', scenario.name, isStream(scenario)),
    headers: {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${testbed.vendorPort}${responsePath(scenario.answer)}/v1`,
      Authorization: 'Bearer vendor-key',
    },
    body: bodyOf(scenario),
    keys: '',
  })
  return gatewayOf('portkey', port, server, request)
}
