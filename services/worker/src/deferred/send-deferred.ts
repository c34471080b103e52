import { sealedBy } from '@tollgate/config/sealing'
import { endDeferred, readDeferredBody, retryDeferred, type DeferredRow } from '@tollgate/db/queries/deferred/deferred-requests'
import { findTokenKey } from '@tollgate/db/queries/tokens/tokens'
import { decideDeferred } from '@tollgate/domain/tasks/deferred'
import { FORWARDED_CLIENT_HEADER, signForwardedClient } from '@tollgate/http/internal-auth'
import { OutboundError } from '@tollgate/outbound/errors'
import type { OutboundAnswer } from '@tollgate/outbound/request'
import { parseJsonObject, textAt } from '@tollgate/providers/json'
import type { Deps } from '../deps.ts'

export type SendDeps = Pick<Deps, 'db' | 'secrets' | 'inner' | 'env' | 'now'>

/** Vendors may think for minutes; shorter than the lease of a request. */
const TIMEOUT_MS = 900_000
const MAX_ANSWER = 32 * 1024 * 1024

/** Failures before a byte was sent, after which the request may be sent again. */
const UNSENT: ReadonlySet<string> = new Set(['dns', 'connect', 'blocked'])

/**
 * Sends a claimed request to a relay with its owner's key, as the owner would have sent it, and stores the answer. What may have been
 * served is not sent a second time.
 */
export async function sendDeferred(deps: SendDeps, row: DeferredRow, signal: AbortSignal): Promise<void> {
  const key = await findTokenKey(deps.db, row.token_id)
  const now = () => Math.floor(deps.now() / 1000)
  if (key === undefined) {
    const answer = JSON.stringify({ error: { message: 'the token was deleted', type: 'invalid_request_error', code: 'invalid_api_key' } })
    return await endDeferred(deps.db, row, { outcome: 'answered', status: 401, request_id: '', answer, made_id: '', now: now() })
  }
  try {
    const answered = await call(deps, row, `sk-${deps.secrets.unseal(key.key_sealed, sealedBy.tokenKey(key.key_hash))}`, signal)
    const answer = answered.body.toString('utf8')
    const decision = decideDeferred({ status: answered.status, answer, attempts: row.attempts })
    if (decision.kind === 'retry') return await retryDeferred(deps.db, row.seq, { next_at: now() + decision.wait_s, now: now() })
    const request_id = String(answered.headers['x-request-id'] ?? answered.headers['request-id'] ?? '')
    await endDeferred(deps.db, row, {
      outcome: 'answered',
      status: answered.status,
      request_id,
      answer: withoutNul(answer),
      made_id: row.batch_id === '' && answered.status === 200 ? (textAt(parseJsonObject(answer), 'id') ?? '') : '',
      now: now(),
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (UNSENT.has(error.failure)) return await retryDeferred(deps.db, row.seq, { next_at: now() + UNREACHABLE_S, now: now() })
    const outcome = signal.aborted && signal.reason === 'cancelled' ? 'cancelled' : 'interrupted'
    await endDeferred(deps.db, row, { outcome, status: 0, request_id: '', answer: '', made_id: '', now: now() })
  }
}

const UNREACHABLE_S = 2

/** Postgres stores no NUL in a text. */
const withoutNul = (text: string): string => text.replaceAll('\0', '')

async function call({ db, inner, env, now }: SendDeps, row: DeferredRow, key: string, signal: AbortSignal): Promise<OutboundAnswer> {
  const { endpoint: path, ip } = row
  const client = signForwardedClient({ method: 'POST', path, ip, is_direct: false, nowMs: now() }, env.INTERNAL_SECRETS)
  return await inner.request({
    method: 'POST',
    url: env.RELAY_URL.replace(/\/$/, '') + path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, [FORWARDED_CLIENT_HEADER]: client },
    body: await readDeferredBody(db, row),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER,
    poolKey: 'relay',
    signal,
  })
}
