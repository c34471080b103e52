import { AppError } from '@tollgate/contracts/app-error'
import type { BindOptions } from '@tollgate/http/bind-all'
import { request } from '@tollgate/outbound/request'
import type { Deps } from './deps.ts'

export const VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const TIMEOUT_MS = 5000

type HumanCheck = NonNullable<BindOptions['humanCheck']>

/** When option TurnstileCheckEnabled is on, guarded calls must carry a fresh Turnstile token, which is verified with Cloudflare. */
export function createHumanCheck(deps: Pick<Deps, 'options' | 'outbound'>, verifyUrl = VERIFY_URL): HumanCheck {
  return async ({ c, ip }) => {
    if (!(await deps.options.get('TurnstileCheckEnabled'))) return
    const token = c.req.query('turnstile') ?? ''
    if (token === '') throw new AppError('human.missing')
    const body = new URLSearchParams({ secret: await deps.options.get('TurnstileSecretKey'), response: token, remoteip: ip }).toString()
    if (!(await isTokenValid(deps, verifyUrl, body))) throw new AppError('human.refused')
  }
}

async function isTokenValid(deps: Pick<Deps, 'outbound'>, url: string, body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    const answer = await request(deps.outbound, { method: 'POST', url, headers, body, timeoutMs: TIMEOUT_MS, maxBytes: 64 * 1024 })
    const verdict: unknown = JSON.parse(answer.body.toString())
    return typeof verdict === 'object' && verdict !== null && 'success' in verdict && verdict.success === true
  } catch (cause) {
    throw new AppError('human.refused', {}, { cause })
  }
}
