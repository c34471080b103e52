import type { Tx } from '@tollgate/db/connect'
import type { Claim } from '@tollgate/db/queries/wallet/bonus-claims'
import { addBonusClaims } from '@tollgate/db/queries/wallet/bonus-claims'
import { mailboxOf } from '@tollgate/mail/addresses'
import { nowSeconds, type Deps } from '../../deps.ts'

/** Proofs that two accounts belong to one person: a verified mailbox, or an identity at a provider. */
export type Identities = {
  readonly email?: string
  readonly github_id?: string
  readonly oidc_id?: string
  readonly linux_do_id?: string
  readonly wechat_id?: string
  readonly telegram_id?: string
}

type ClaimDeps = Pick<Deps, 'sealers' | 'now'>
const COLUMNS = ['github_id', 'oidc_id', 'linux_do_id', 'wechat_id', 'telegram_id'] as const

/** Records the identities as having had their bonus; false: one of them had it before. Without any identity nothing can be told: true. */
export function claimBonus(deps: ClaimDeps, tx: Tx, identities: Identities): Promise<boolean> {
  return addBonusClaims(tx, claimsOf(deps, identities), nowSeconds(deps))
}

function claimsOf({ sealers }: ClaimDeps, { email = '', ...ids }: Identities): Claim[] {
  const texts = [
    ...(email === '' ? [] : [`mailbox ${mailboxOf(email)}`]),
    ...COLUMNS.flatMap((column) => ((ids[column] ?? '') === '' ? [] : [`${column} ${ids[column]}`])),
  ]
  return texts.map((text) => ({
    newest: sealers.options.fingerprint(`bonus ${text}`),
    all: sealers.options.fingerprints(`bonus ${text}`),
  }))
}
