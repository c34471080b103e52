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

/** The options that deliveries depend on, in one query. */
export const readDeliveryOptions = ({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<DeliveryOptions> =>
  createOptionReader(db, unsealOption(secrets)).pick(KEYS)

/** Before the address is saved, links lead to this machine, as the printed address of `npm start` does. */
export function siteOf({ SystemName, ServerAddress }: Pick<DeliveryOptions, 'SystemName' | 'ServerAddress'>): Site {
  return { name: SystemName, address: ServerAddress === '' ? 'http://localhost:3000' : ServerAddress }
}
