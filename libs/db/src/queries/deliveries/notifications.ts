import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import {
  MAILBOX_LIMIT,
  NOTICES,
  UNLIMITED_NOTICES,
  type MailValues,
  type NoticeLimit,
  type NoticeName,
} from '@tollgate/contracts/texts/mails'
import { UserSetting } from '@tollgate/contracts/resources/users'
import { Role, UserStatus } from '@tollgate/contracts/enums'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { createDelivery, type NewDelivery } from './deliveries.ts'

export type NewNotice<Name extends NoticeName> = {
  readonly notice: Name
  readonly values: MailValues<Name>
  /** Subject that the limit of this notice counts; absent: the notice itself. */
  readonly topic?: string
  readonly now: UnixSeconds
}

/** The members of an organisation who get its notices. */
const NOTIFIED = ['owner', 'admin', 'billing'] as const

/**
 * Tells a user something by mail or webhook, as their setting says, in the transaction of its cause; of an organisation, its owners,
 * administrators and billing contacts. Returns the id of the last delivery, or undefined: the user has no address, was banned or deleted,
 * or the limit of the notice is reached.
 */
export async function notifyUser<Name extends NoticeName>(
  tx: Tx,
  { user_id, notice, values, topic = notice, now }: NewNotice<Name> & { readonly user_id: number },
): Promise<number | undefined> {
  const user = await tx
    .selectFrom('users')
    .select(['email', 'setting', 'language'])
    .where('id', '=', user_id)
    .where('status', '=', UserStatus.enabled)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const way = user === undefined ? undefined : wayOf(user)
  if (user === undefined) return undefined
  if (way === undefined) return await notifyMembers(tx, { user_id, notice, values, topic, now })
  const limit: NoticeLimit | undefined = NOTICES[notice]
  if (limit !== undefined && !(await takeNotice(tx, { user_id, topic, limit, now }))) return undefined
  if (way.channel === 'mail' && !UNLIMITED_NOTICES.has(notice) && !(await takeMailbox(tx, way.target, now))) return undefined
  return createDelivery(tx, { ...way, language: user.language, template: notice, details: values, user_id, now })
}

async function notifyMembers<Name extends NoticeName>(
  tx: Tx,
  { user_id, ...notice }: NewNotice<Name> & { readonly user_id: number },
): Promise<number | undefined> {
  const members = await tx
    .selectFrom('organisation_members')
    .select('user_id')
    .where('organisation_id', '=', user_id)
    .where('role', 'in', NOTIFIED)
    .orderBy('user_id')
    .execute()
  let last: number | undefined
  for (const member of members) last = (await notifyUser(tx, { ...notice, user_id: member.user_id })) ?? last
  return last
}

/** Tells every enabled root account. */
export async function notifyRoots<Name extends NoticeName>(tx: Tx, notice: NewNotice<Name>): Promise<void> {
  for (const { id } of await listRoots(tx)) await notifyUser(tx, { ...notice, user_id: id })
}

type Root = { readonly id: number; readonly username: string; readonly email: string; readonly setting: string }

/** The accounts that get notices about the installation. */
export async function listRoots(db: Db | Tx): Promise<Root[]> {
  return await db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'setting'])
    .where('role', '=', Role.root)
    .where('status', '=', UserStatus.enabled)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** The content of the column `setting`; text that is not a setting counts as empty. */
export function readUserSetting(text: string): UserSetting {
  try {
    return text === '' ? {} : UserSetting.parse(JSON.parse(text))
  } catch {
    // Imported rows may hold anything; an unreadable setting must not stop what the notice is about.
    return {}
  }
}

type Addresses = Pick<UserSetting, 'notification_email' | 'notification_email_confirmed'>

/** True if notices go to the address of the setting: the account's own, or one whose code was entered. Earlier versions wanted no code. */
export function isConfirmed(email: string, { notification_email = '', notification_email_confirmed = '' }: Addresses): boolean {
  if (notification_email === '') return false
  return [email.toLowerCase(), notification_email_confirmed.toLowerCase()].includes(notification_email.toLowerCase())
}

/** Where a user gets notices. */
export function wayOf({
  email,
  setting,
}: {
  readonly email: string
  readonly setting: string
}): Pick<NewDelivery, 'channel' | 'target'> | undefined {
  const read = readUserSetting(setting)
  const { notify_type, webhook_url = '', notification_email = '' } = read
  if (notify_type === 'webhook') return webhook_url === '' ? undefined : { channel: 'webhook', target: webhook_url }
  const address = isConfirmed(email, read) ? notification_email : email
  return address === '' ? undefined : { channel: 'mail', target: address }
}

/** Takes a notice from what one mailbox gets, whichever accounts send there; they are counted for no account. */
function takeMailbox(tx: Tx, address: string, now: UnixSeconds): Promise<boolean> {
  const topic = `mailbox:${createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 32)}`
  return takeNotice(tx, { user_id: 0, topic, limit: MAILBOX_LIMIT, now })
}

type Taken = { readonly user_id: number; readonly topic: string; readonly limit: NoticeLimit; readonly now: UnixSeconds }

/** Takes one notice from the window of this user and topic; false: the window is used up. One statement, so parallel calls are counted. */
async function takeNotice(tx: Tx, { user_id, topic, limit, now }: Taken): Promise<boolean> {
  const { rows } = await sql`
    insert into notice_windows as w (user_id, topic, started_at, count) values (${user_id}, ${topic}, ${now}, 1)
    on conflict (user_id, topic) do update set
      started_at = case when w.started_at <= ${now - limit.windowSeconds} then excluded.started_at else w.started_at end,
      count = case when w.started_at <= ${now - limit.windowSeconds} then 1 else w.count + 1 end
    where w.started_at <= ${now - limit.windowSeconds} or w.count < ${limit.max}
    returning user_id`.execute(tx)
  return rows.length === 1
}
