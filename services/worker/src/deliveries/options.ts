import { unsealOption } from '@tollgate/config/sealing'
import type { OptionKey, OptionValues } from '@tollgate/contracts/options/registry'
import { createOptionReader } from '@tollgate/db/option-reader'
import type { Site } from '@tollgate/mail/mail-text'
import type { Deps } from '../deps.ts'

const KEYS = [
  'SMTPServer',
  'SMTPPort',
  'SMTPAccount',
  'SMTPFrom',
  'SMTPToken',
  'SMTPSSLEnabled',
  'SystemName',
  'ServerAddress',
  'WorkerUrl',
  'WorkerValidKey',
  'MjForwardUrlEnabled',
] as const satisfies readonly OptionKey[]
export type DeliveryOptions = Pick<OptionValues, (typeof KEYS)[number]>

/** Where links lead to until the operator saves an address. */
export type SiteDeps = { readonly env: Pick<Deps['env'], 'PUBLIC_URL'> }

/** The options that deliveries depend on, in one query. */
export async function readDeliveryOptions({ db, secrets, env }: Pick<Deps, 'db' | 'secrets'> & SiteDeps): Promise<DeliveryOptions> {
  const options = await createOptionReader(db, unsealOption(secrets)).pick(KEYS)
  // Before the address is saved, links lead to the printed address.
  return options.ServerAddress === '' ? { ...options, ServerAddress: env.PUBLIC_URL } : options
}

export function siteOf({ SystemName, ServerAddress }: Pick<DeliveryOptions, 'SystemName' | 'ServerAddress'>): Site {
  return { name: SystemName, address: ServerAddress.replace(/\/+$/, '') }
}
