import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Scenario } from '../scenarios/scenarios.ts'
import { responsePath } from '../vendor/response-spec.ts'
import { readLine, start } from '../bench/processes.ts'
import { CHANNEL_TYPE } from '../bench/testbed.ts'
import { openHttpClient, signIn, type Account } from './console.ts'
import type { Product } from './product.ts'

export type SoakAccounts = {
  readonly root: Account
  readonly users: readonly Account[]
  /** Token keys of users with a large wallet, and of one with an empty one. */
  readonly rich: readonly string[]
  readonly poor: readonly string[]
}

const USERS = 12
const TOKENS_EACH = 8
const RICH = 1_000_000_000_000
const POOR = 1
/** Relay processes poll for changes every 500 ms. */
export const PROPAGATION_MS = 3000

/** Creates options, channels and tokens through the console API; users are imported. `isPlain`: only prices are set. */
export async function createAccounts(
  product: Product,
  vendorPort: number,
  mix: readonly Scenario[],
  { isPlain = false }: { readonly isPlain?: boolean } = {},
): Promise<SoakAccounts> {
  const { origin } = product
  const root: Account = { username: 'root', password: randomBytes(9).toString('hex'), address: '127.0.1.1' }
  await setUp(origin, root)
  const admin = await signIn(origin, root)
  for (const [key, value] of Object.entries(isPlain ? pricesOf(mix) : optionsOf(mix)))
    await admin.send('PUT', '/api/option/', { key, value })
  for (const scenario of mix) await admin.send('POST', '/api/channel/', channelOf(scenario, vendorPort))
  const accounts = Array.from({ length: USERS + 1 }, (_, at): Account => ({
    username: `soak-${at}`,
    password: randomBytes(9).toString('hex'),
    address: `127.0.1.${at + 2}`,
  }))
  await importUsers(product, accounts)
  const keys: string[][] = []
  for (const [at, account] of accounts.entries()) {
    keys.push(await makeTokens(origin, account, at < USERS ? TOKENS_EACH : 1))
  }
  await admin.signOut()
  await wait(PROPAGATION_MS)
  return { root, users: accounts.slice(0, USERS), rich: keys.slice(0, USERS).flat(), poor: keys.slice(USERS).flat() }
}

async function setUp(origin: string, { username, password, address }: Account): Promise<void> {
  const { call, close } = openHttpClient(origin, address)
  const body = { username, password, confirmPassword: password, SelfUseModeEnabled: false, DemoSiteEnabled: false }
  await call({ method: 'POST', path: '/api/setup', body })
  await close()
}

function pricesOf(mix: readonly Scenario[]): Record<string, string> {
  const each = (value: number): string => JSON.stringify(Object.fromEntries(mix.map(({ name }) => [name, value])))
  return { ModelRatio: each(1.25), CompletionRatio: each(4) }
}

/** Enables sensitive words and both request windows. */
function optionsOf(mix: readonly Scenario[]): Record<string, string> {
  return {
    ...pricesOf(mix),
    CheckSensitiveEnabled: 'true',
    CheckSensitiveOnPromptEnabled: 'true',
    SensitiveWords: Array.from({ length: 1000 }, (_, at) => `forbidden-word-${at * 7919}`).join('\n'),
    ModelRequestRateLimitDurationMinutes: '1',
    ModelRequestRateLimitCount: '1000000',
    ModelRequestRateLimitSuccessCount: '1000000',
    ModelRequestRateLimitEnabled: 'true',
  }
}

const channelOf = ({ name, vendor, answer }: Scenario, vendorPort: number) => ({
  type: CHANNEL_TYPE[vendor],
  name,
  key: 'sk-simulated',
  base_url: `http://127.0.0.1:${vendorPort}${responsePath(answer)}`,
  models: name,
  group: 'default',
  auto_ban: 0,
})

/** Imports users with wallets, because the console API cannot create them yet. */
async function importUsers({ processes, root }: Product, accounts: readonly Account[]): Promise<void> {
  const pid = processes.find(({ name }) => name === 'control-plane')?.pid
  const variables = (await readFile(`/proc/${pid}/environ`, 'utf8'))
    .split('\0')
    .filter((word) => word !== '' && !word.startsWith('NODE_OPTIONS='))
  const env = Object.fromEntries(variables.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]))
  const seeder = start({ command: process.execPath, args: ['services/control-plane/test/import-users.ts'], cwd: root, env })
  const users = accounts.map(({ username, password }, at) => ({ username, password, credited: at < USERS ? RICH : POOR }))
  seeder.child.stdin?.end(`${JSON.stringify(users)}\n`)
  await readLine(seeder)
  await seeder.stop()
}

async function makeTokens(origin: string, account: Account, count: number): Promise<string[]> {
  const user = await signIn(origin, account)
  for (let at = 0; at < count; at += 1) await user.send('POST', '/api/token/', aToken(`token ${at}`))
  const tokens = await user.get<{ key: string }[]>('/api/token/?p=0&size=100')
  await user.signOut()
  return tokens.map(({ key }) => key.replace(/^sk-/, ''))
}

export const aToken = (name: string) => ({
  name,
  remain_quota: RICH,
  unlimited_quota: false,
  expired_time: -1,
  allow_ips: '10.0.0.0/8\n172.16.0.0/12\n192.168.0.0/16\n2001:db8::/32\n127.0.0.0/8',
})
