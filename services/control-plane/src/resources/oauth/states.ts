import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import type { Provider } from '@tollgate/contracts/resources/oauth'
import type { Actor } from '@tollgate/http/actor'
import { isProved } from '@tollgate/http/admit'
import { putOneTime, takeOneTime } from '@tollgate/redis/stores/one-time'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { bindBrowser, isSameBrowser } from '../../authentication/browser.ts'

export type Purpose = 'sign-in' | 'bind'

const StateRecord = z.object({
  purpose: z.enum(['sign-in', 'bind']),
  /** Undefined for a state that another console asked for: it did not name the provider. */
  provider: z.string().optional(),
  browser: z.string(),
  /** For a binding: the session that began it. */
  session_hash: z.string().optional(),
  /** For a binding: the session had proved its user when it began. */
  is_proved: z.boolean(),
  aff: z.string(),
  /** PKCE and nonce exist when our console built the address of the provider's page. */
  verifier: z.string().optional(),
  nonce: z.string().optional(),
  redirect_uri: z.string().optional(),
})
export type StateRecord = z.infer<typeof StateRecord>

type NewState = {
  readonly purpose: Purpose
  readonly actor: Actor | undefined
  readonly aff: string
  readonly provider?: Provider
  readonly redirect_uri?: string
}

export type CreatedState = { readonly state: string; readonly challenge: string; readonly nonce: string }

/** Creates a state for one sign-in or binding by this browser; `provider` present: with PKCE and nonce. */
export async function createState(
  deps: Pick<Deps, 'redis' | 'options' | 'env' | 'now'>,
  c: Context,
  { purpose, actor, aff, provider, redirect_uri }: NewState,
): Promise<CreatedState> {
  const [verifier, nonce] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
  const binds = purpose === 'bind' && actor?.session_hash !== undefined
  const record: StateRecord = {
    purpose: binds ? 'bind' : 'sign-in',
    browser: await bindBrowser(deps, c),
    is_proved: binds && isProved(actor, deps.now()),
    aff,
    ...(binds ? { session_hash: actor.session_hash } : {}),
    ...(provider === undefined ? {} : { provider, verifier, nonce }),
    ...(redirect_uri === undefined ? {} : { redirect_uri }),
  }
  const state = await putOneTime(deps.redis, 'oauth', record)
  return { state, nonce, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Takes a state that names no provider; throws unless this browser asked for it. */
export async function takePlainState(deps: Pick<Deps, 'redis'>, c: Context, state: string): Promise<void> {
  const parsed = StateRecord.safeParse(await takeOneTime(deps.redis, 'oauth', state))
  const isOwn = parsed.success && parsed.data.provider === undefined && isSameBrowser(c, parsed.data.browser)
  if (!isOwn) throw new AppError('oauth.state')
}

type Returned = { readonly state: string; readonly provider: Provider; readonly actor: Actor | undefined }

/**
 * Takes the state that a browser came back with. It is refused unless the same browser asked for it, for this provider, and, of a binding,
 * in the same session.
 */
export async function takeState(deps: Pick<Deps, 'redis'>, c: Context, { state, provider, actor }: Returned): Promise<StateRecord> {
  const parsed = StateRecord.safeParse(await takeOneTime(deps.redis, 'oauth', state))
  if (!parsed.success) throw new AppError('oauth.state')
  const record = parsed.data
  const isOwn = isSameBrowser(c, record.browser) && (record.provider === undefined || record.provider === provider)
  if (!isOwn || (record.purpose === 'bind' && record.session_hash !== actor?.session_hash)) throw new AppError('oauth.state')
  return record
}
