import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { call, signIn, type ConsoleApi } from './console-api.ts'
import type { Paths } from '../machine/paths.ts'
import { log } from '../machine/log.ts'

const Demo = z.object({ username: z.string(), password: z.string(), key: z.string() })
type Demo = z.infer<typeof Demo>

const SetupState = z.object({ status: z.boolean() })
const Channels = z.array(z.object({ id: z.number(), name: z.string(), base_url: z.string().nullable() }))
const TokenRow = z.object({ name: z.string(), key: z.string() })
const TokenPage = z.union([z.array(TokenRow), z.object({ items: z.array(TokenRow) }).transform(({ items }) => items)])

const MODELS = ['gpt-4o-mini', 'gpt-4o']
const NAME = 'demo'
const MODEL_VISIBLE_WITHIN_MS = 15_000
/** Relay processes poll for changes every 500 ms; after this time all of them have what one has. */
const ALL_PROCESSES_WITHIN_MS = 600

/** Sets up a fresh installation: root user, channel to the local model server, token. Prints the sign-in data and a curl line. */
export async function seedDemo(paths: Paths, origin: string, modelServer: string): Promise<void> {
  const kept = await readDemo(paths)
  if (kept !== undefined) await moveChannel(kept, origin, modelServer)
  const demo = kept ?? (await createDemo(paths, origin, modelServer))
  await untilModelListed(origin, demo.key)
  log('')
  log(`  sign in:  ${origin}  user ${demo.username}  password ${demo.password}`)
  log('  call a model (streams, no vendor key needed):')
  log('')
  log(curlLine(origin, demo.key))
  log('')
}

function curlLine(origin: string, key: string): string {
  const body = JSON.stringify({ model: MODELS[0], stream: true, messages: [{ role: 'user', content: 'Say hello' }] })
  return `curl -N ${origin}/v1/chat/completions -H 'Authorization: Bearer sk-${key}' -H 'Content-Type: application/json' -d '${body}'`
}

async function createDemo(paths: Paths, origin: string, modelServer: string): Promise<Demo> {
  const { data } = await call({ origin, method: 'GET', path: '/api/setup' })
  if (SetupState.parse(data).status) {
    throw new Error(
      'this installation is already set up, and --demo makes its own accounts only in a fresh one: run "npm run clean" first, which removes all data',
    )
  }
  const username = 'root'
  const password = randomBytes(9).toString('base64url')
  const choice = { SelfUseModeEnabled: false, DemoSiteEnabled: false }
  await call({ origin, method: 'POST', path: '/api/setup', body: { username, password, confirmPassword: password, ...choice } })
  const api = await signIn(origin, username, password)
  await createChannel(api, modelServer)
  const demo = { username, password, key: await createToken(api) }
  const file = pathOf(paths)
  await writeFile(`${file}.new`, JSON.stringify(demo), { mode: 0o600 })
  await rename(`${file}.new`, file)
  return demo
}

async function createChannel(api: ConsoleApi, modelServer: string): Promise<void> {
  await api.post('/api/channel/', {
    type: 1,
    name: NAME,
    key: 'local-model-server',
    base_url: modelServer,
    models: MODELS.join(','),
    group: 'default',
    groups: ['default'],
    model_mapping: '',
    priority: 0,
    weight: 0,
    auto_ban: 1,
  })
}

/** Points the demo's channel to the model server, whose address follows from `PORT`. A channel or password that a person changed is left alone. */
async function moveChannel({ username, password }: Demo, origin: string, modelServer: string): Promise<void> {
  const api = await signIn(origin, username, password).catch(() => undefined)
  if (api === undefined) return log(`  ${username} has another password now: the channel "${NAME}" is left as it is`)
  const channels = Channels.parse(await api.get(`/api/channel/search?keyword=${NAME}`))
  const channel = channels.find(({ name, base_url }) => name === NAME && isModelServer(base_url))
  if (channel !== undefined && channel.base_url !== modelServer) await api.put('/api/channel/', { id: channel.id, base_url: modelServer })
}

const isModelServer = (address: string | null): boolean => /^http:\/\/127\.0\.0\.1:\d+$/.test(address ?? '')

async function createToken(api: ConsoleApi): Promise<string> {
  await api.post('/api/token/', {
    name: NAME,
    remain_quota: 0,
    expired_time: -1,
    unlimited_quota: true,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    group: '',
  })
  const rows = TokenPage.parse(await api.get('/api/token/?p=0&size=10'))
  const row = rows.find(({ name }) => name === NAME)
  if (row === undefined) throw new Error('the token of --demo is not in the list')
  return row.key.replace(/^sk-/, '')
}

/** Waits until the relays have the snapshot, so that the printed line works at once. */
async function untilModelListed(origin: string, key: string): Promise<void> {
  const deadline = Date.now() + MODEL_VISIBLE_WITHIN_MS
  for (;;) {
    const answer = await fetch(`${origin}/v1/models`, { headers: { authorization: `Bearer sk-${key}` }, signal: AbortSignal.timeout(5000) })
    const text = await answer.text()
    if (answer.ok && text.includes(MODELS[0] ?? '')) return await wait(ALL_PROCESSES_WITHIN_MS)
    if (Date.now() > deadline) throw new Error(`the relay does not offer the model of --demo: it answered ${answer.status}`)
    await wait(150)
  }
}

async function readDemo(paths: Paths): Promise<Demo | undefined> {
  try {
    return Demo.parse(JSON.parse(await readFile(pathOf(paths), 'utf8')))
  } catch {
    // Not seeded yet.
    return undefined
  }
}

function pathOf(paths: Paths): string {
  return join(paths.stateDir, 'demo.json')
}
