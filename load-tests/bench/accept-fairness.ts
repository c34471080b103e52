import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Agent, request } from 'undici'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { startRelay } from './gateways.ts'
import { openTestbed } from './testbed.ts'

/**
 * `npx node bench/accept-fairness.ts [--streams 100] [--seconds 10]` measures how long new connections wait for their answer, alone and while
 * vendors send as fast as the relay reads.
 */
type Fast = { readonly port: number; readonly key: string; readonly streams: number }

/** Reads one fast stream; `onBytes` gets the length of each piece. */
async function readStream({ port, key }: Fast, agent: Agent, onBytes: (length: number) => void): Promise<void> {
  const { body } = await request(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: 'stalled', stream: true, messages: [{ role: 'user', content: 'x' }] }),
  })
  for await (const piece of body) onBytes((piece as Buffer).length)
}

/** Answered without the vendor, which is as busy as the relay. */
async function listModels({ port, key }: Fast, dispatcher: Agent): Promise<void> {
  const { body } = await request(`http://127.0.0.1:${port}/v1/models`, { dispatcher, headers: { authorization: `Bearer sk-${key}` } })
  await body.dump()
}

async function measure(fast: Fast, seconds: number): Promise<string> {
  const waits: number[] = []
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    const agent = new Agent({ connections: 1 })
    const began = performance.now()
    await listModels(fast, agent)
    waits.push(performance.now() - began)
    await agent.close()
    await wait(50)
  }
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (part: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0)
  return `${waits.length} new connections: p50 ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)} ms`
}

if (!isMainThread) {
  const fast = workerData as Fast // from below
  const agent = new Agent({ connections: fast.streams })
  let bytes = 0
  for (let at = 0; at < fast.streams; at += 1)
    void (async () => {
      for (;;) await readStream(fast, agent, (length) => (bytes += length)).catch(() => undefined)
    })()
  parentPort?.on('message', () => parentPort?.postMessage(bytes))
} else {
  const { values: options } = readCommandLine({
    command: 'npx node bench/accept-fairness.ts',
    about: 'Measures how long new connections wait while vendors send as fast as the relay reads.',
    example: 'npx node bench/accept-fairness.ts --streams 20',
    options: {
      streams: { type: 'string', default: '100', about: 'fast streams at once' },
      seconds: { type: 'string', default: '10', about: 'length of each measurement' },
    },
  })
  const testbed = await openTestbed({ tokens: 10, vendors: 1, load: 1 })
  const relay = await startRelay(testbed)
  try {
    const key = (await readFile(testbed.keys.rich, 'utf8')).split('\n')[0] ?? ''
    const fast = { port: relay.port, key, streams: Number(options.streams) }
    await measure(fast, 2)
    process.stdout.write(`alone: ${await measure(fast, Number(options.seconds))}\n`)
    const worker = new Worker(new URL(import.meta.url), { workerData: fast })
    await wait(1000)
    const line = await measure(fast, Number(options.seconds))
    worker.postMessage('bytes')
    // The thread above answers with its sum.
    const [bytes] = (await once(worker, 'message')) as [number]
    process.stdout.write(`beside ${fast.streams} fast streams: ${line}; ${Math.round(bytes / 2 ** 20 / Number(options.seconds))} MB/s\n`)
    await worker.terminate()
  } finally {
    await relay.stop()
    await testbed.stop()
  }
}
