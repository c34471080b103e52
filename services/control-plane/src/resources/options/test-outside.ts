import type { OutsidePart, OutsideResult } from '@tollgate/contracts/resources/options'
import type { OptionValues } from '@tollgate/contracts/options/registry'
import { request, type OutboundAnswer, type OutboundRequest } from '@tollgate/outbound/request'
import { visible } from '@tollgate/telemetry/visible'
import type { Deps } from '../../deps.ts'
import { VERIFY_URL } from '../../human-check.ts'

const LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024 } as const
const MAX_DETAIL = 200

type Verdict = Pick<OutsideResult, 'outcome' | 'detail'>
type Trial = {
  /** Undefined: a setting that it needs is empty. */
  readonly call: Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'> | undefined
  readonly judge: (answer: OutboundAnswer, json: Readonly<Record<string, unknown>>) => Verdict
}

const works: Verdict = { outcome: 'works', detail: '' }
const JSON_HEADERS = { 'content-type': 'application/json' }

/** Calls the other side once with the stored settings, through the address guard. Nothing is stored, and no secret is in the result. */
export async function testOutside(deps: Deps, part: OutsidePart, verifyUrl = VERIFY_URL): Promise<OutsideResult> {
  const options = await deps.options.all()
  const { call, judge } = trialOf(part, { options, deps, verifyUrl })
  if (call === undefined) return { outcome: 'missing', detail: '', time_ms: 0 }
  const startedAt = performance.now()
  const since = (): number => Math.round(performance.now() - startedAt)
  try {
    const answer = await request(deps.outbound, { ...call, ...LIMITS })
    return { ...judge(answer, parseObject(answer.body.toString('utf8'))), time_ms: since() }
  } catch (cause) {
    deps.log.warn({ err: cause, part }, 'Test of a service outside did not reach it')
    return { outcome: 'unreachable', detail: '', time_ms: since() }
  }
}

type Subject = { readonly options: OptionValues; readonly deps: Deps; readonly verifyUrl: string }

function trialOf(part: OutsidePart, subject: Subject): Trial {
  return { turnstile, proxy, payment, stripe }[part](subject)
}

/** An invalid token is sent: the answer says whether the secret was accepted. https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
function turnstile({ options, verifyUrl }: Subject): Trial {
  const { TurnstileSecretKey: secret, TurnstileSiteKey: site } = options
  const body = new URLSearchParams({ secret, response: 'test' }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return {
    call: secret === '' || site === '' ? undefined : { method: 'POST', url: verifyUrl, headers, body },
    judge: (_answer, json) => {
      const codes = Array.isArray(json['error-codes']) ? json['error-codes'].map(String) : undefined
      if (json['success'] === true) return works
      if (codes === undefined) return { outcome: 'unexpected', detail: '' }
      return codes.some((code) => code.endsWith('-secret')) ? { outcome: 'refused', detail: visible(codes.join(', '), MAX_DETAIL) } : works
    },
  }
}

/** The proxy is asked for the status of this site at its public address. */
function proxy({ options, deps }: Subject): Trial {
  const { WorkerUrl, WorkerValidKey, ServerAddress } = options
  const url = `${ServerAddress === '' ? deps.env.PUBLIC_URL : ServerAddress}/api/status`
  const body = JSON.stringify({ url, key: WorkerValidKey, method: 'GET', headers: {}, body: null })
  return {
    call: WorkerUrl === '' ? undefined : { method: 'POST', url: `${WorkerUrl}/`, headers: JSON_HEADERS, body },
    judge: ({ status }, json) => {
      if (status === 200 && json['success'] === true) return works
      const isRefused = status === 401 || status === 403
      return { outcome: isRefused ? 'refused' : 'unexpected', detail: `HTTP ${status}` }
    },
  }
}

/** The account is asked for by its number and key. */
function payment({ options }: Subject): Trial {
  const { PayAddress, EpayId: pid, EpayKey: key } = options
  const query = new URLSearchParams({ act: 'query', pid, key }).toString()
  return {
    call: PayAddress === '' || pid === '' || key === '' ? undefined : { url: `${PayAddress}/api.php?${query}` },
    judge: ({ status }, json) => {
      if (String(json['code']) === '1') return works
      if (json['code'] === undefined) return { outcome: 'unexpected', detail: `HTTP ${status}` }
      const said = typeof json['msg'] === 'string' ? json['msg'].replaceAll(key, '***') : ''
      return { outcome: 'refused', detail: visible(said, MAX_DETAIL) }
    },
  }
}

/** Reads the account's balance, which changes nothing. https://docs.stripe.com/api/balance/balance_retrieve */
function stripe({ options }: Subject): Trial {
  const { StripeApiSecret: secret, StripeWebhookSecret: webhook, StripeApiAddress: address } = options
  const url = `${address}/v1/balance`
  return {
    call: secret === '' || webhook === '' ? undefined : { url, headers: { authorization: `Bearer ${secret}` } },
    judge: ({ status }, json) => {
      if (status === 200 && json['object'] === 'balance') return works
      if (status === 401 || status === 403) return { outcome: 'refused', detail: `HTTP ${status}` }
      return { outcome: 'unexpected', detail: `HTTP ${status}` }
    },
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  } catch {
    // Not JSON: the answer of something else.
    return {}
  }
}
