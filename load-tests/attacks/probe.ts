import { Agent, request } from 'undici'
import type { ConsoleUser } from '../soak/console.ts'

/** Latencies of one user's calls, in milliseconds. */
export type Latencies = { readonly console: readonly number[]; readonly model: readonly number[]; readonly failed: readonly string[] }

type Probe = { readonly origin: string; readonly address: string; readonly key: string; readonly model: string; readonly user: ConsoleUser }

const PAUSE_MS = 40

/** Calls console and model one after the other until the time is over, as a user does beside an attack. */
export async function probe({ origin, address, key, model, user }: Probe, seconds: number): Promise<Latencies> {
  const agent = new Agent({ localAddress: address, connections: 2 })
  const latencies = { console: [] as number[], model: [] as number[], failed: [] as string[] }
  const timed = async (into: number[], call: () => Promise<unknown>): Promise<void> => {
    const started = performance.now()
    await call().catch((error: unknown) => latencies.failed.push(String(error)))
    into.push(performance.now() - started)
  }
  const askModel = async (): Promise<void> => {
    const { statusCode, body } = await request(`${origin}/v1/chat/completions`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`the model answered ${statusCode}: ${text.slice(0, 200)}`)
  }
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    await timed(latencies.console, () => user.get('/api/user/self'))
    await timed(latencies.console, () => user.get('/api/token/?p=0&size=10'))
    await timed(latencies.model, askModel)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  await agent.close()
  return latencies
}

export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0
}
