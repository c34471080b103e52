import { AppError } from '@tollgate/contracts/app-error'
import type { CallbackQuery, Provider, RedirectProvider, TelegramQuery } from '@tollgate/contracts/resources/oauth'
import type { User } from '@tollgate/contracts/resources/users'
import { findAccountByBinding } from '@tollgate/db/queries/users/bindings'
import type { Actor } from '@tollgate/http/actor'
import { requireProof } from '@tollgate/http/admit'
import { isOwnScript } from '@tollgate/http/cross-site'
import { withMessage } from '@tollgate/http/envelope'
import { languageOf } from '@tollgate/http/language'
import { markUsed } from '@tollgate/redis/stores/one-time'
import { visible } from '@tollgate/telemetry/visible'
import type { Context } from 'hono'
import { nowSeconds, type Deps } from '../../deps.ts'
import { publicUrl } from '../../public-address.ts'
import { followClaims } from '../provisioning/claims.ts'
import { toSignedInUser } from '../users/present.ts'
import { finishSignIn } from '../../authentication/finish-sign-in.ts'
import { bindIdentity } from './bindings.ts'
import { providers, redirectProviders } from './providers/providers.ts'
import type { FoundIdentity } from './providers/provider.ts'
import { isTelegramLogin } from './providers/telegram.ts'
import { identifyAtWechat } from './providers/wechat.ts'
import { signUpBy } from './sign-up.ts'
import { createState, takePlainState, takeState, type Purpose, type StateRecord } from './states.ts'

export type Caller = { readonly c: Context; readonly ip: string; readonly actor: Actor | undefined }
type SignedInCaller = Caller & { readonly actor: Actor }

const MAX_REASON = 200

/** A state for consoles that build the provider's address themselves: of a session it binds, else it signs in. */
export async function createPlainState(deps: Deps, { c, actor }: Caller, aff: string): Promise<string> {
  const { state } = await createState(deps, c, { purpose: actor === undefined ? 'sign-in' : 'bind', actor, aff })
  return state
}

export async function startAtProvider(
  deps: Deps,
  { c, actor }: Caller,
  { provider, purpose, aff }: { provider: RedirectProvider; purpose: Purpose; aff: string },
): Promise<{ url: string }> {
  await requireOn(deps, provider)
  if (purpose === 'bind') {
    if (actor === undefined) throw new AppError('guard.anonymous')
    requireProof(actor, deps.now())
  }
  const redirect_uri = await callbackOf(deps, provider)
  const created = await createState(deps, c, { purpose, actor, aff, provider, redirect_uri })
  return { url: await redirectProviders[provider].page(deps, { ...created, redirect_uri }) }
}

/** The browser is back from the provider's page: binds or signs in, as its state says. */
export async function finishAtProvider(deps: Deps, caller: Caller, provider: RedirectProvider, query: CallbackQuery) {
  const record = await takeState(deps, caller.c, { state: query.state, provider, actor: caller.actor })
  await requireOn(deps, provider)
  if (query.error !== undefined && query.error !== '') {
    throw new AppError('oauth.denied', { detail: visible(query.error_description || query.error, MAX_REASON) })
  }
  if (query.code === '' && provider !== 'linuxdo') throw new AppError('params.invalid')
  if (record.purpose === 'bind') requireProofAtStart(record)
  const { verifier, nonce, redirect_uri = await callbackOf(deps, provider) } = record
  const identity = await redirectProviders[provider].identify(deps, { code: query.code, verifier, nonce, redirect_uri })
  if (record.purpose === 'sign-in' || caller.actor === undefined) return signInBy(deps, caller, { provider, identity, aff: record.aff })
  await bindIdentity(deps, { ip: caller.ip, actor: caller.actor }, { provider, id: identity.id })
  return withMessage('bind')
}

type WechatQuery = { readonly code: string; readonly aff: string; readonly state: string }

export async function signInWithWechat(deps: Deps, caller: Caller, { code, aff, state }: WechatQuery): Promise<User> {
  await requireOn(deps, 'wechat')
  await requireOwnBrowser(deps, caller, state)
  return signInBy(deps, caller, { provider: 'wechat', identity: await identifyAtWechat(deps, code), aff })
}

export async function bindWechat(deps: Deps, { actor, ip }: SignedInCaller, code: string): Promise<undefined> {
  await requireOn(deps, 'wechat')
  const { id } = await identifyAtWechat(deps, code)
  await bindIdentity(deps, { actor, ip }, { provider: 'wechat', id })
  return undefined
}

/** Telegram never makes an account. */
export async function signInWithTelegram(deps: Deps, caller: Caller, query: TelegramQuery): Promise<User> {
  await requireOwnBrowser(deps, caller, query.state ?? '')
  await checkTelegram(deps, query)
  const account = await findAccountByBinding(deps.db, 'telegram_id', query.id)
  if (account === undefined || account.deleted_at !== null) throw new AppError('oauth.telegram-unbound')
  return toSignedInUser(await finishSignIn(deps, caller.c, account, 'telegram'))
}

/** The state of a sign-in is of this browser. Consoles that send none call by a script of their own page. */
async function requireOwnBrowser(deps: Deps, { c }: Caller, state: string): Promise<void> {
  if (state !== '') await takePlainState(deps, c, state)
  else if (!isOwnScript(c)) throw new AppError('guard.cross-site')
}

export async function createTelegramState(deps: Deps, { c, actor }: SignedInCaller): Promise<string> {
  await requireOn(deps, 'telegram')
  const { state } = await createState(deps, c, { purpose: 'bind', actor, aff: '', provider: 'telegram' })
  return state
}

/** The widget's redirect: a navigation, so its state replaces the header with the user's id. */
export async function bindTelegram(deps: Deps, { c, actor, ip }: SignedInCaller, query: TelegramQuery): Promise<Response> {
  const record = await takeState(deps, c, { state: query.state ?? '', provider: 'telegram', actor })
  if (record.purpose !== 'bind') throw new AppError('oauth.state')
  await checkTelegram(deps, query)
  await bindIdentity(deps, { actor, ip }, { provider: 'telegram', id: query.id })
  return c.redirect('/setting', 302)
}

async function checkTelegram(deps: Deps, query: TelegramQuery): Promise<void> {
  await requireOn(deps, 'telegram')
  const token = await deps.options.get('TelegramBotToken')
  // Telegram signs the moment, not the purpose: what was used once is refused until it is too old anyway.
  const isValid = isTelegramLogin(query, { token, now: nowSeconds(deps) }) && (await markUsed(deps.redis, 'telegram', query.hash))
  if (!isValid) throw new AppError('oauth.telegram-invalid')
}

async function signInBy(
  deps: Deps,
  { c, ip }: Caller,
  { provider, identity, aff }: { provider: Provider; identity: FoundIdentity; aff: string },
): Promise<User> {
  const { column } = providers[provider]
  const known = await findAccountByBinding(deps.db, column, identity.id)
  if (known !== undefined && known.deleted_at !== null) throw new AppError('oauth.removed')
  const account = known ?? (await signUpBy(deps, { provider, identity, aff, ip, language: languageOf(c.req.header('accept-language')) }))
  if (identity.claims !== undefined) await followClaims(deps, account, { claims: identity.claims, ip })
  return toSignedInUser(await finishSignIn(deps, c, account, provider))
}

async function requireOn(deps: Deps, provider: Provider): Promise<void> {
  const { isOn, off } = providers[provider]
  if (!(await deps.options.get(isOn))) throw new AppError(off)
}

/** The five minutes of a proof count until the binding begins; its state is valid for five more. */
function requireProofAtStart({ is_proved }: StateRecord): void {
  if (!is_proved) throw new AppError('guard.proof')
}

/** Where the provider sends the browser back to: the same address that is registered at the provider. */
const callbackOf = (deps: Deps, provider: RedirectProvider): Promise<string> => publicUrl(deps, `/oauth/${provider}`)
