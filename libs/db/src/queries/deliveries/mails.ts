import type { Language, MailTemplate, MailValues } from '@tollgate/contracts/texts/mails'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '../../connect.ts'
import { createDelivery } from './deliveries.ts'

export type NewMail<Template extends MailTemplate> = {
  readonly to: string
  readonly template: Template
  readonly language: Language
  readonly values: MailValues<Template>
  /** The account that the mail is about; 0: none. */
  readonly user_id?: number
  readonly now: UnixSeconds
}

/** Adds a mail in the transaction of its cause; the worker sends it. Returns its id; undefined: too many of this user wait. */
export function enqueueMail<Template extends MailTemplate>(tx: Tx, mail: NewMail<Template>): Promise<number | undefined> {
  const { to, template, language, values, user_id = 0, now } = mail
  return createDelivery(tx, { channel: 'mail', target: to, template, language, details: values, user_id, now })
}
