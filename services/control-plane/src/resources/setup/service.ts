import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import { defaultText } from '@tollgate/contracts/options/registry'
import { MODEL_PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import type { SetupBody, SetupStatus } from '@tollgate/contracts/resources/setup'
import type { Tx } from '@tollgate/db/connect'
import { createSetup, hasRootUser, isSetUp } from '@tollgate/db/queries/installation/setup'
import { saveAbsentOptions, saveOption } from '@tollgate/db/queries/installation/options'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { createUser } from '@tollgate/db/queries/users/users'
import type { Language } from '@tollgate/http/language'
import { hostnameOf, isLoopbackName, isSameHost, isUnregistrableName } from '@tollgate/http/origin'
import type { Client } from '../../client.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { publishAfter } from '../../internal/snapshot-publisher.ts'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { hashPassword } from '../../authentication/passwords.ts'
import { createInviteCode } from './invite-code.ts'
import { refusalOfRoot } from './policy.ts'

/** Root's opening balance in quota: 200 USD at the default unit. */
const OPENING_QUOTA = 100_000_000

/** State of the set-up and the fields of its form. */
export async function getSetupStatus(deps: Deps, client: Client): Promise<SetupStatus> {
  if (await isSetUp(deps.db)) return { status: true, root_init: false, database_type: '', needs_code: false }
  return { status: false, root_init: await hasRootUser(deps.db), database_type: 'postgres', needs_code: needsCode(deps, client) }
}

type SetupPage = { readonly referer: string | undefined; readonly origin: string | undefined }

/**
 * Sets the system up in one transaction: the root account with its opening balance, the usage mode, and the address, if the page was
 * opened under a host name that would otherwise be refused from now on.
 */
export async function createSystem(
  deps: Deps,
  body: SetupBody,
  { client, page, language }: { readonly client: Client; readonly page: SetupPage; readonly language: Language },
): Promise<void> {
  if (await isSetUp(deps.db)) throw new AppError('setup.done')
  const code = body.code === undefined || body.code === '' ? codeOf(page.referer) : body.code
  if (needsCode(deps, client) && !isSameCode(code, deps.setup_code)) throw new AppError('setup.code')
  const needsRoot = !(await hasRootUser(deps.db))
  if (needsRoot) {
    const refusal = refusalOfRoot(body)
    if (refusal !== undefined) throw new AppError(refusal)
  }
  const password_hash = needsRoot ? await hashPassword(body.password) : ''
  const values = {
    SelfUseModeEnabled: String(body.SelfUseModeEnabled),
    DemoSiteEnabled: String(body.DemoSiteEnabled),
    OutputPriceRequired: 'true',
    // The defaults are for readers of Chinese: names of groups, and chats.
    ...(language === 'en' ? { Chats: '[]', UserUsableGroups: JSON.stringify({ default: 'Default group', vip: 'VIP group' }) } : {}),
    ...(await toServerAddress(deps, client, page.origin)),
  }
  const version = await deps.db.transaction().execute(async (tx) => {
    if (!(await createSetup(tx, { version: deps.version, initialized_at: nowSeconds(deps) }))) throw new AppError('setup.done')
    if (needsRoot) await createRoot(deps, tx, { username: body.username.trim(), password_hash })
    for (const [key, value] of Object.entries(values)) {
      await saveOption(tx, { key, value, is_sealed: false, updated_at: nowSeconds(deps), updated_by: 0 })
    }
    await keepPrices(deps, tx)
    return await raiseSnapshotVersion(tx)
  })
  await publishAfter(deps, { version, options: ['SelfUseModeEnabled', 'OutputPriceRequired', 'ServerAddress'] })
}

/** From here on the prices are the installation's own: a newer version with other defaults changes none of them. */
export async function keepPrices(deps: Pick<Deps, 'now'>, tx: Tx): Promise<void> {
  const now = nowSeconds(deps)
  await saveAbsentOptions(
    tx,
    MODEL_PRICE_OPTIONS.map((key) => ({ key, value: defaultText(key), is_sealed: false, updated_at: now, updated_by: 0 })),
  )
}

async function createRoot(deps: Deps, tx: Tx, { username, password_hash }: { username: string; password_hash: string }): Promise<void> {
  const id = await createUser(tx, {
    username,
    password_hash,
    display_name: 'Root User',
    role: Role.root,
    group: 'default',
    aff_code: createInviteCode(),
    shards: deps.env.SHARDS,
    now: nowSeconds(deps),
  })
  await creditWallet(tx, { user_id: id, kind: 'opening', amount: OPENING_QUOTA, reference: `setup-${id}`, actor: 0, now: nowSeconds(deps) })
}

/**
 * The host too must be loopback: under DNS rebinding a page of another site calls this machine from its own browser, and a proxy on
 * this machine makes every client look local.
 */
function needsCode(deps: Deps, { is_direct, host }: Client): boolean {
  return deps.setup_code !== 'off' && !(is_direct && isLoopbackName(hostnameOf(host)))
}

/** Consoles that know no code send it as part of the address of their page. */
function codeOf(referer: string | undefined): string {
  return URL.parse(referer ?? '')?.searchParams.get('code') ?? ''
}

async function toServerAddress(deps: Deps, { host }: Client, origin: string | undefined): Promise<{ ServerAddress?: string }> {
  const page = URL.parse(origin ?? '')
  if (page === null || !isSameHost(page, host) || isUnregistrableName(hostnameOf(host))) return {}
  return (await deps.options.get('ServerAddress')) === '' ? { ServerAddress: page.origin } : {}
}

function isSameCode(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
