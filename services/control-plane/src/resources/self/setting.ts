import { sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import type { SettingChange } from '@tollgate/contracts/resources/self'
import type { Actor } from '@tollgate/http/actor'
import { requireProof } from '@tollgate/http/admit'
import type { By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { editUser } from '../users/change-user.ts'
import { parseSetting, type SettingFields as Fields } from '../users/shown-setting.ts'

/** Changes the fields that were sent; a blank secret keeps the stored one, as forms cannot show it. */
export async function updateOwnSetting(deps: Deps, by: By & { readonly actor: Actor }, change: SettingChange): Promise<void> {
  const { id } = by.actor
  const { webhook_secret = '', ...fields } = change
  checkFields(fields)
  const secret: Fields =
    webhook_secret === '' ? {} : { webhook_secret: deps.sealers.options.seal(webhook_secret, sealedBy.webhookSecret(id)) }
  const patchOf = ({ setting }: { readonly setting: string }) => {
    const before = parseSetting(setting)
    const after: Fields = { ...before, ...fields, ...secret }
    checkTarget(after, change)
    // With alerts elsewhere, a stolen session could empty the wallet unseen.
    if (TARGETS.some(([field, unset]) => (after[field] ?? unset) !== (before[field] ?? unset))) requireProof(by.actor, deps.now())
    return { setting: JSON.stringify(after) }
  }
  await editUser(deps, id, { patchOf }, by).catch((cause: unknown) => {
    throw cause instanceof AppError ? cause : new AppError('self.setting-failed', { detail: codeOf(cause) }, { cause })
  })
}

/** Where alerts go, and what an account without the field has. */
const TARGETS = [
  ['notify_type', 'email'],
  ['notification_email', ''],
  ['webhook_url', ''],
  ['webhook_secret', ''],
] as const

/** The code of a failed statement or connection; its message could name addresses and values. */
function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w+$/.test(code) ? code : 'error'
}

function checkFields({ notify_type, quota_warning_threshold, notification_email = '' }: SettingChange): void {
  if (notify_type !== undefined && notify_type !== 'email' && notify_type !== 'webhook') throw new AppError('self.notify-type')
  if (quota_warning_threshold !== undefined && quota_warning_threshold <= 0) throw new AppError('self.threshold')
  if (notification_email.trim() !== '' && !notification_email.includes('@')) throw new AppError('email.invalid')
}

/** A webhook that would be used must have an https address. */
function checkTarget(after: Fields, { notify_type, webhook_url }: SettingChange): void {
  if (after['notify_type'] !== 'webhook' || (notify_type === undefined && webhook_url === undefined)) return
  const address = typeof after['webhook_url'] === 'string' ? after['webhook_url'].trim() : ''
  if (address === '') throw new AppError('self.webhook-blank')
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') throw new AppError('self.webhook')
}
