import { sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import { isWebhookAddress } from '@tollgate/contracts/values/webhook-address'
import type { SettingChange } from '@tollgate/contracts/resources/self'
import type { Actor } from '@tollgate/http/actor'
import { requireProof } from '@tollgate/http/admit'
import { createDelivery } from '@tollgate/db/queries/deliveries/deliveries'
import { enqueueMail } from '@tollgate/db/queries/deliveries/mails'
import { isConfirmed, readUserSetting, wayOf } from '@tollgate/db/queries/deliveries/notifications'
import { findLanguage, findUser, type UserRow } from '@tollgate/db/queries/users/users'
import type { Language } from '@tollgate/contracts/texts/mails'
import type { Tx } from '@tollgate/db/connect'
import { parseAddress } from '@tollgate/mail/addresses'
import { smtpProblem } from '@tollgate/mail/smtp-options'
import type { By as AuditBy } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { limitMails, type Requester } from '../../mailbox-limits.ts'
import { checkMailCode } from '../registration/mail-code.ts'
import { editUser } from '../users/change-user.ts'
import { parseSetting, type SettingFields as Fields } from '../users/shown-setting.ts'

type By = AuditBy & Requester & { readonly actor: Actor; readonly language: Language }

/**
 * Changes the fields that were sent; a blank secret keeps the stored one, as forms cannot show it. `unconfirmed`: the address for notices
 * that waits for its code.
 */
export async function updateOwnSetting(deps: Deps, by: By, change: SettingChange): Promise<{ readonly unconfirmed: string }> {
  const { id } = by.actor
  const { webhook_secret = '', notification_email, notification_code = '', ...fields } = change
  checkFields(fields)
  const secret: Fields =
    webhook_secret === '' ? {} : { webhook_secret: deps.sealers.options.seal(webhook_secret, sealedBy.webhookSecret(id)) }
  const email = await decideEmail(deps, by, { wanted: notification_email, code: notification_code })
  const afterOf = ({ setting }: { readonly setting: string }): Fields => ({
    ...parseSetting(setting),
    ...fields,
    ...email.fields,
    ...secret,
  })
  const patchOf = (row: { readonly setting: string }) => {
    const [before, after] = [parseSetting(row.setting), afterOf(row)]
    checkTarget(after, change)
    // With alerts elsewhere, a stolen session could empty the wallet unseen.
    if (TARGETS.some(([field, unset]) => (after[field] ?? unset) !== (before[field] ?? unset))) requireProof(by.actor, deps.now())
    return { setting: JSON.stringify(after) }
  }
  const also = async (tx: Tx, row: UserRow): Promise<[]> => {
    await email.useUp?.(tx)
    await tellOldTarget(tx, row, { after: JSON.stringify(afterOf(row)), now: nowSeconds(deps) })
    return []
  }
  await editUser(deps, id, { patchOf, also }, by).catch((cause: unknown) => {
    throw cause instanceof AppError ? cause : new AppError('self.setting-failed', { detail: codeOf(cause) }, { cause })
  })
  return { unconfirmed: email.unconfirmed }
}

type Decided = { readonly fields: Fields; readonly unconfirmed: string; readonly useUp?: (tx: Tx) => Promise<void> }

/** Another address than that of the account gets notices once its code was given; until then it is kept aside. */
async function decideEmail(deps: Deps, by: By, { wanted, code }: { wanted: string | undefined; code: string }): Promise<Decided> {
  if (wanted === undefined) return { fields: {}, unconfirmed: '' }
  const settle = (address: string): Decided => ({
    fields: { notification_email: address, notification_email_confirmed: address, notification_email_pending: undefined },
    unconfirmed: '',
  })
  if (wanted.trim() === '') return settle('')
  const user = await findUser(deps.db, by.actor.id)
  if (user === undefined) throw new AppError('record.missing')
  const setting = readUserSetting(user.setting)
  const { notification_email: used = '', notification_email_pending: pending = used } = setting
  if (wanted.trim() === used && isConfirmed(user.email, setting)) return settle(used)
  const address = parseAddress(wanted)
  if (address === undefined) throw new AppError('email.invalid')
  if (address === user.email.toLowerCase()) return settle(address)
  requireProof(by.actor, deps.now())
  if (code.trim() !== '') return { ...settle(address), useUp: await checkMailCode(deps, by, { purpose: 'notification', address, code }) }
  await mailCode(deps, by, address).catch((error: unknown) => {
    // A form that is saved again for another field names the address again.
    if (!(error instanceof AppError && error.code === 'rate.console' && address === pending)) throw error
  })
  return { fields: { notification_email_pending: address }, unconfirmed: address }
}

async function mailCode(deps: Deps, by: By, to: string): Promise<void> {
  const problem = smtpProblem(await deps.options.all())
  if (problem !== undefined) throw new AppError(problem)
  await limitMails(deps, by, { purpose: 'notification', address: to })
  const mail = { to, template: 'notification-code', language: by.language, values: {}, now: nowSeconds(deps) } as const
  await deps.db.transaction().execute((tx) => enqueueMail(tx, mail))
}

/** The last notice at the place where notices went until now. */
async function tellOldTarget(tx: Tx, row: UserRow, { after, now }: { after: string; now: number }): Promise<void> {
  const [old, next] = [wayOf(row), wayOf({ email: row.email, setting: after })]
  if (old === undefined || (old.channel === next?.channel && old.target === next.target)) return
  await createDelivery(tx, {
    ...old,
    template: 'alerts-moved',
    language: await findLanguage(tx, row.id),
    details: {},
    user_id: row.id,
    now,
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

function checkFields({ notify_type, quota_warning_threshold }: SettingChange): void {
  if (notify_type !== undefined && notify_type !== 'email' && notify_type !== 'webhook') throw new AppError('self.notify-type')
  if (quota_warning_threshold !== undefined && quota_warning_threshold <= 0) throw new AppError('self.threshold')
}

/** A webhook that would be used must have an https address. */
function checkTarget(after: Fields, { notify_type, webhook_url }: SettingChange): void {
  if (after['notify_type'] !== 'webhook' || (notify_type === undefined && webhook_url === undefined)) return
  const address = typeof after['webhook_url'] === 'string' ? after['webhook_url'].trim() : ''
  if (address === '') throw new AppError('self.webhook-blank')
  if (!isWebhookAddress(address)) throw new AppError('self.webhook')
}
