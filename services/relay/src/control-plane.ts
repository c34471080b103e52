import { INTERNAL_AUTH_HEADER, INTERNAL_PATHS, LedgerLoadAnswer, TokenLookupAnswer, type TokenRecord } from '@tollgate/contracts/internal'
import { signInternal } from '@tollgate/http/internal-auth'
import type { Outbound } from '@tollgate/outbound/outbound'
import { createBatcher } from './identity/batcher.ts'

/** What the relay asks the control plane; every failure is thrown and means 503 to the client. */
export type ControlPlane = {
  /** The record of a key, null when nobody has it. */
  lookUp(keyHash: string): Promise<TokenRecord | null>
  /** Brings a cold wallet and token into Redis. */
  load(pair: Pair): Promise<void>
}

type Pair = { readonly user_id: number; readonly token_id: number }

type Options = {
  readonly outbound: Outbound
  readonly baseUrl: string
  readonly secrets: readonly string[]
  readonly now: () => number
}

const BATCHING = { maxSize: 100, delayMs: 5, maxInFlight: 4, maxWaiting: 400 } as const
const TIMEOUT_MS = 3000

export function createControlPlane(options: Options): ControlPlane {
  const records = createBatcher<string, TokenRecord | null>({
    ...BATCHING,
    keyOf: (hash) => hash,
    send: async (key_hashes) => (await post(options, INTERNAL_PATHS.tokenLookup, { key_hashes }, TokenLookupAnswer)).records,
  })
  const loads = createBatcher<Pair, true>({
    ...BATCHING,
    keyOf: ({ user_id, token_id }) => `${user_id}/${token_id}`,
    send: async (pairs) => {
      await post(options, INTERNAL_PATHS.ledgerLoad, { pairs }, LedgerLoadAnswer)
      return pairs.map(() => true)
    },
  })
  return {
    lookUp: (keyHash) => records.ask(keyHash),
    load: async (pair) => {
      await loads.ask(pair)
    },
  }
}

type Shape<T> = { parse(input: unknown): T }

async function post<T>({ outbound, baseUrl, secrets, now }: Options, path: string, payload: object, shape: Shape<T>): Promise<T> {
  const body = JSON.stringify(payload)
  const signature = signInternal({ method: 'POST', path, body, nowMs: now() }, secrets)
  const answer = await outbound.request({
    method: 'POST',
    url: baseUrl.replace(/\/$/, '') + path,
    headers: { 'content-type': 'application/json', [INTERNAL_AUTH_HEADER]: signature },
    body,
    timeoutMs: TIMEOUT_MS,
    lane: 'control-plane',
  })
  if (answer.status !== 200) throw new Error(`control plane answered ${answer.status} on ${path}`)
  return shape.parse(JSON.parse(answer.body.toString()))
}
