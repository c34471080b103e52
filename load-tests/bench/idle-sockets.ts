import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { SCENARIOS, type Scenario } from '../scenarios/scenarios.ts'
import { startRelay, type Gateway } from './gateways.ts'
import { applyLoadUnchecked } from './load.ts'
import { median } from './rows.ts'
import { openTestbed } from './testbed.ts'

/**
 * `npm run bench:idle-sockets` holds idle and slow connections open beside ordinary requests, and compares their p99 with that of rounds
 * without such connections. Exit code 1: a request was not answered with 200, or the p99 more than doubled.
 */
const { values: options } = readCommandLine({
  command: 'npm run bench:idle-sockets --',
  about:
    'Compares the p99 of ordinary requests beside idle and slow connections with that of rounds without. Exit code 1: a request was not answered with 200, or the p99 more than doubled.',
  example: 'npm run bench:idle-sockets -- --rounds 1 --sockets 500',
  options: {
    rounds: { type: 'string', default: '3', about: 'rounds of each kind' },
    seconds: { type: 'string', default: '10', about: 'length of a round in seconds' },
    rate: { type: 'string', default: '200', about: 'requests per second' },
    sockets: { type: 'string', default: '2000', about: 'idle and slow connections' },
  },
})

const MAX_RATIO = 2
const DRIP_MS = 1000
const log = (line: string) => process.stdout.write(`${line}\n`)

type Crowd = { readonly opened: number; readonly closedByRelay: number; leave(): void }

/** Bytes that each connection sends before it goes quiet: nothing, half a head, or the head of a large or a small body with one byte of it. */
function beginnings(key: string): string[] {
  const head = (length: number) =>
    `POST /v1/chat/completions HTTP/1.1\r\nhost: relay\r\nauthorization: Bearer sk-${key}\r\ncontent-length: ${length}\r\n\r\n{`
  return ['', 'POST /v1/chat/completions HTTP/1.1\r\nhost:', head(134_217_728), head(60_000)]
}

/** Opens connections and keeps their number: those that the relay closes are opened again. Those with a body send a byte a second. */
async function gather({ port }: Gateway, count: number, key: string): Promise<Crowd> {
  const texts = beginnings(key)
  const sockets = new Map<Socket, boolean>()
  const state = { opened: 0, closedByRelay: 0, isOver: false }
  const open = (at: number): Promise<void> =>
    new Promise((resolve) => {
      const text = texts[at % texts.length] ?? ''
      const socket = connect(port, '127.0.0.1', () => {
        state.opened += 1
        socket.write(text)
        resolve()
      })
      sockets.set(socket, text.endsWith('{'))
      socket.on('error', () => undefined)
      socket.resume()
      socket.once('close', () => {
        sockets.delete(socket)
        resolve()
        if (state.isOver) return
        state.closedByRelay += 1
        void open(at)
      })
    })
  await Promise.all(Array.from({ length: count }, (_, at) => open(at)))
  const drip = setInterval(() => {
    for (const [socket, hasBody] of sockets) if (hasBody) socket.write(' ')
  }, DRIP_MS)
  return {
    get opened() {
      return state.opened
    },
    get closedByRelay() {
      return state.closedByRelay
    },
    leave: () => {
      state.isOver = true
      clearInterval(drip)
      for (const socket of sockets.keys()) socket.destroy()
    },
  }
}

const testbed = await openTestbed({ tokens: 1000, vendors: 1, load: 1 })
const gateway = await startRelay(testbed)
const key = (await readFile(testbed.keys.rich, 'utf8')).split('\n').at(-1) ?? ''
const scenario: Scenario = { ...SCENARIOS.steady, shape: { kind: 'open', rate: Number(options.rate), connections: 64 } }
const seconds = Number(options.seconds)
const p99: Readonly<Record<'alone' | 'beside', number[]>> = { alone: [], beside: [] }
let refused = 0

async function measure(kind: 'alone' | 'beside'): Promise<void> {
  const { outcome, stolenShare } = await applyLoadUnchecked(testbed, gateway, scenario, { warmup: 2, seconds })
  const wrong = outcome.completed + outcome.failed - (outcome.statuses['200'] ?? 0)
  refused += wrong
  p99[kind].push(outcome.latency.p99)
  log(
    `${kind}: ${outcome.completed} requests, ${wrong} not 200, p50 ${outcome.latency.p50} µs, p99 ${outcome.latency.p99} µs, steal ${(stolenShare * 100).toFixed(1)} %`,
  )
  await testbed.trim()
}

try {
  await applyLoadUnchecked(testbed, gateway, { ...scenario, shape: { kind: 'closed', connections: 16 } }, { warmup: 2, seconds: 2 })
  for (let round = 0; round < Number(options.rounds); round += 1) {
    await measure('alone')
    const crowd = await gather(gateway, Number(options.sockets), key)
    await measure('beside')
    log(`  ${options.sockets} connections held; ${crowd.opened} opened, ${crowd.closedByRelay} closed by the relay`)
    crowd.leave()
  }
} finally {
  await gateway.stop()
  await testbed.stop()
}

const ratio = median(p99.beside) / median(p99.alone)
log(`p99 beside ${options.sockets} idle and slow connections ÷ alone: ${ratio.toFixed(2)} (limit ${MAX_RATIO}); not 200: ${refused}`)
process.exitCode = ratio > MAX_RATIO || refused > 0 ? 1 : 0
