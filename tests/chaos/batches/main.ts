import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI, { toFile } from 'openai'
import { createChannel, must, setUp } from '../../support/api.ts'
import { readCommandLine } from '../../support/command-line.ts'
import { seedUser, type Seeded } from '../../support/seed.ts'
import { startCluster, type Cluster } from '../cluster.ts'
import { createRandom } from '../random.ts'
import { auditBatches, type Line } from './audit-batches.ts'

/**
 * `npm run test:chaos:batches`: batches of all three APIs at once, while relays and the worker are killed. Exit code 1: a line without a
 * result or with two, one that was sent twice, or a charge that no answer stands for.
 */
const { values } = readCommandLine({
  command: 'npm run test:chaos:batches --',
  about: 'Runs batches of three APIs while relays and the worker are killed. Exit code 1: a line was lost, sent twice or charged wrongly.',
  example: 'npm run test:chaos:batches -- --lines 3000 --kills 20',
  options: {
    lines: { type: 'string', default: '1000', about: 'lines of all batches together' },
    kills: { type: 'string', default: '8', about: 'kills, of the worker and of relays in turn' },
    gap: { type: 'string', default: '1500', about: 'milliseconds between two kills' },
    seconds: { type: 'string', default: '180', about: 'seconds after which the run is given up' },
    seed: { type: 'string', default: '1', about: 'of the relay that is killed' },
  },
})
const MODEL = 'gpt-4o-mini'
const CREDITED = 500_000_000
const APIS = ['openai', 'anthropic', 'gemini'] as const
const each = Math.ceil(Number(values.lines) / APIS.length)
const deadline = Date.now() + Number(values.seconds) * 1000

/** How often each prompt reached the vendor. */
const sent = new Map<string, number>()
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }]
const ANSWER = JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: MODEL, choices, usage })
/** Long enough that a kill meets open calls. */
const THINKING_MS = 60

const vendor = createServer((incoming, reply) => {
  let text = ''
  incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  incoming.on('end', () => {
    const prompt = /(?:openai|anthropic|gemini) \d+\./.exec(text)?.[0] ?? 'other'
    sent.set(prompt, (sent.get(prompt) ?? 0) + 1)
    setTimeout(() => reply.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER), THINKING_MS)
  })
})

/** One address for relays that come and go. */
let relays: Cluster['relays'] = []
const front = createTcpServer((near) => {
  const alive = relays.filter((relay) => relay.pid() !== 0)
  const port = Number(new URL(alive[Math.floor(Math.random() * alive.length)]?.url ?? 'http://127.0.0.1:9').port)
  const far = connect(port, '127.0.0.1')
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.pipe(other)
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
})

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)) // it listens on a port
  })

const [vendorUrl, relayUrl] = [await listen(vendor), await listen(front)]
const dir = await mkdtemp(join(tmpdir(), 'tollgate-chaos-batches-'))
const cluster = await startCluster({
  dir,
  relays: 2,
  fsync: 'everysec',
  reapAfter: 10,
  env: { RELAY_URL: relayUrl, DEFERRED_CONCURRENCY: '32' },
})
const log = (line: string): void => void process.stdout.write(`${line}\n`)
try {
  process.exitCode = (await main()) ? 0 : 1
} finally {
  await cluster.stop()
  await rm(dir, { recursive: true, force: true })
}
process.exit()

async function main(): Promise<boolean> {
  const { db, controlPlane } = cluster
  relays = cluster.relays
  const api = await setUp(controlPlane.url)
  must(await api.put('/api/option/', { key: 'RetryTimes', value: '0' }))
  await createChannel(api, { base_url: vendorUrl, models: MODEL })
  const owner = await seedUser({ database: { db }, env: cluster.env }, { credited: CREDITED, granted: CREDITED })
  const sdks = clientsOf(owner)
  while ((await sdks.openai.models.list()).data.length === 0) await wait(100)
  await sdks.openai.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content: 'price' }] })
  const batches = await createBatches(sdks)
  log(`${each * APIS.length} lines in batches of ${APIS.join(', ')}`)
  await killMeanwhile()
  const lines = await Promise.all(APIS.map(async (name) => await untilEnded(name, async () => await batches[name]())))
  const found = await auditBatches(cluster, { owner, lines: lines.flat(), sent, each, apis: APIS })
  for (const [name, count] of Object.entries(found.counts)) log(`${name} ${count}`)
  for (const violation of found.violations.slice(0, 20)) log(`violation: ${violation}`)
  return found.violations.length === 0
}

type Clients = ReturnType<typeof clientsOf>

function clientsOf({ key }: Seeded) {
  const apiKey = `sk-${key}`
  return {
    openai: new OpenAI({ apiKey, baseURL: `${relayUrl}/v1`, maxRetries: 5 }),
    anthropic: new Anthropic({ apiKey, baseURL: relayUrl, maxRetries: 5 }),
    gemini: new GoogleGenAI({ apiKey, httpOptions: { baseUrl: relayUrl } }),
  }
}

/** Creates one batch of each API, and returns what reads its lines once it has ended. */
async function createBatches({ openai, anthropic, gemini }: Clients) {
  const numbers = Array.from({ length: each }, (_, at) => at)
  const messages = (api: string, at: number) => [{ role: 'user' as const, content: `${api} ${at}.` }]
  const url = '/v1/chat/completions'
  const input = numbers.map((at) =>
    JSON.stringify({ custom_id: String(at), method: 'POST', url, body: { model: MODEL, messages: messages('openai', at) } }),
  )
  const file = await openai.files.create({ file: await toFile(Buffer.from(input.join('\n')), 'in.jsonl'), purpose: 'batch' })
  const ofOpenAi = await openai.batches.create({ input_file_id: file.id, endpoint: url, completion_window: '24h' })
  const requests = numbers.map((at) => ({
    custom_id: String(at),
    params: { model: MODEL, max_tokens: 100, messages: messages('anthropic', at) },
  }))
  const ofAnthropic = await anthropic.messages.batches.create({ requests })
  const src = numbers.map((at) => ({ contents: `gemini ${at}.`, metadata: { key: String(at) } }))
  const ofGemini = await gemini.batches.create({ model: MODEL, src })
  return {
    openai: async (): Promise<Line[] | undefined> => {
      const { status, output_file_id, error_file_id } = await openai.batches.retrieve(ofOpenAi.id)
      if (status !== 'completed') return undefined
      const texts = await Promise.all(
        [output_file_id, error_file_id].map(async (id) => (id ? await (await openai.files.content(id)).text() : '')),
      )
      return texts
        .join('')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const { custom_id, response } = JSON.parse(line) as { custom_id: string; response: { status_code: number } | null } // the gateway's
          return { prompt: `openai ${custom_id}.`, isAnswered: response?.status_code === 200 }
        })
    },
    anthropic: async (): Promise<Line[] | undefined> => {
      const { processing_status } = await anthropic.messages.batches.retrieve(ofAnthropic.id)
      if (processing_status !== 'ended') return undefined
      const lines: Line[] = []
      for await (const { custom_id, result } of await anthropic.messages.batches.results(ofAnthropic.id))
        lines.push({ prompt: `anthropic ${custom_id}.`, isAnswered: result.type === 'succeeded' })
      return lines
    },
    gemini: async (): Promise<Line[] | undefined> => {
      const { state, dest } = await gemini.batches.get({ name: ofGemini.name ?? '' })
      if (state !== 'JOB_STATE_SUCCEEDED') return undefined
      return (dest?.inlinedResponses ?? []).map(({ response, metadata }) => ({
        prompt: `gemini ${metadata?.['key']}.`,
        isAnswered: response !== undefined,
      }))
    },
  }
}

/** Kills the worker and relays in turn, and starts them again. */
async function killMeanwhile(): Promise<void> {
  const random = createRandom(Number(values.seed))
  for (let kill = 0; kill < Number(values.kills); kill += 1) {
    await wait(Number(values.gap))
    const relay = cluster.relays[random.int(cluster.relays.length)]
    const member = kill % 2 === 0 || relay === undefined ? cluster.worker : relay
    await member.end()
    if (member === cluster.worker) {
      // The leases of the killed worker run out.
      const expired = { lease_until: 1 }
      await cluster.db.updateTable('deferred_requests').set(expired).where('state', '=', 'running').execute()
    }
    await member.start()
    log(`killed ${member.name}`)
  }
}

async function untilEnded(name: string, read: () => Promise<Line[] | undefined>): Promise<Line[]> {
  for (;;) {
    // A relay may have been killed while it answered.
    const lines = await read().catch(() => undefined)
    if (lines !== undefined) return lines
    if (Date.now() > deadline) throw new Error(`the batch of ${name} has not ended after ${values.seconds} seconds`)
    await wait(250)
  }
}
