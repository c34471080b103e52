import { sealedBy } from '@tollgate/config/sealing'
import { readOption, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import { listOptions } from '@tollgate/db/queries/options'
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
] as const satisfies readonly OptionKey[]
export type DeliveryOptions = Pick<OptionValues, (typeof KEYS)[number]>

/** The options that deliveries depend on, in one query. */
export async function readDeliveryOptions({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<DeliveryOptions> {
  const stored = new Map((await listOptions(db)).map((row) => [row.key, row]))
  const textOf = (key: string): string | undefined => {
    const row = stored.get(key)
    return row?.is_sealed === true ? secrets.unseal(row.value, sealedBy.option(key)) : row?.value
  }
  // Each value is decoded from the row of its own key.
  return Object.fromEntries(KEYS.map((key) => [key, readOption(key, textOf(key))])) as DeliveryOptions
}

/** Before the address is saved, links lead to this machine, as the printed address of `npm start` does. */
export function siteOf({ SystemName, ServerAddress }: Pick<DeliveryOptions, 'SystemName' | 'ServerAddress'>): Site {
  return { name: SystemName, address: ServerAddress === '' ? 'http://localhost:3000' : ServerAddress }
}
