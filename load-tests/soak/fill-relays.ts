import { request } from 'node:http'
import type { Gateway } from '../bench/gateways.ts'
import { MIX } from '../scenarios/mix.ts'
import type { Scenario } from '../scenarios/scenarios.ts'
import type { SoakAccounts } from './accounts.ts'

/** With two relay processes, the chance that one gets none of them is one in 30 000. */
const PER_SCENARIO = 16
const MAX_CHUNKS = 100

/**
 * Sends each kind of request over connections of its own, which the kernel spreads over the relay processes: each then has loaded what it
 * loads on first use, for example the tokenizer in its thread. The connections of a load stay with the process that accepted them.
 */
export async function fillRelays({ relay, accounts }: { readonly relay: Gateway; readonly accounts: SoakAccounts }): Promise<void> {
  const key = accounts.rich[0] ?? ''
  const calls = MIX.filter((scenario) => scenario.accounts === 'rich' && isShort(scenario)).flatMap((scenario) => {
    const { path, headers, body } = relay.request(scenario)
    return Array.from({ length: PER_SCENARIO }, () => send({ port: relay.port, path, headers: { ...headers, ...credential(key) }, body }))
  })
  await Promise.all(calls)
}

/** The others are streams of minutes. */
const isShort = ({ answer }: Scenario): boolean => answer.kind !== 'sse' || (answer.n ?? 0) <= MAX_CHUNKS

const credential = (key: string) => ({
  authorization: `Bearer sk-${key}`,
  'x-api-key': `sk-${key}`,
  'x-goog-api-key': `sk-${key}`,
  'content-type': 'application/json',
})

type Call = { readonly port: number; readonly path: string; readonly headers: Record<string, string>; readonly body: string }

/** Resolves at the end of the answer, whatever it is. */
function send({ port, path, headers, body }: Call): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }, (answer) => {
      answer.on('end', resolve).on('error', reject).resume()
    })
    call.on('error', reject)
    call.end(body)
  })
}
