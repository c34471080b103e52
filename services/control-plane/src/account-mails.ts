import type { Language } from '@tollgate/contracts/texts/mails'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { enqueueMail } from '@tollgate/db/queries/deliveries/mails'
import { findLanguage } from '@tollgate/db/queries/users/users'

type Owner = { readonly id: number; readonly email: string }

/** Tells the address that an account has, or had until now, of a change of its credentials. */
export async function tellOwner(
  tx: Tx,
  { id, email }: Owner,
  template: 'password-changed' | 'email-changed',
  now: UnixSeconds,
): Promise<void> {
  if (email === '') return
  const language: Language = await findLanguage(tx, id)
  await enqueueMail(tx, { to: email, template, language, values: {}, user_id: id, now })
}
