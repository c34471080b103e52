import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import type { ChannelFields } from '@tollgate/db/queries/channels/channels'
import type { Setting } from '@tollgate/domain/channel-choice/setting-secrets'
import { keepsSecrets } from './setting.ts'

/** Where a channel's calls go, and with which headers. */
type Destination = Pick<ChannelFields, 'type' | 'base_url'> & { readonly setting: Setting }
type Change = {
  readonly before: Destination
  readonly after: Destination
  /** The stored key stays. */
  readonly keepsKey: boolean
}

/**
 * Refuses to send what another administrator entered to another address: an administrator who changes type, address, proxy or header
 * overrides must enter the key again, and the secrets of the setting too if the address changes. Root may; the audit log has the change.
 */
export function checkDestination(actor: { readonly role: number }, { before, after, keepsKey }: Change): void {
  if (actor.role >= Role.root) return
  const moves = before.type !== after.type || before.base_url !== after.base_url || proxyOf(before.setting) !== proxyOf(after.setting)
  const overrides = (setting: Setting): string => JSON.stringify(setting['header_override'] ?? '')
  if (keepsKey && (moves || overrides(before.setting) !== overrides(after.setting))) throw new AppError('channels.key-needed')
  if (moves && keepsSecrets(before.setting, after.setting)) throw new AppError('channels.secret-needed')
}

/** The address of a channel's proxy, or empty. */
export function proxyOf(setting: Setting): string {
  const proxy = setting['proxy']
  return typeof proxy === 'string' ? proxy : ''
}
