import type { Language, MailTemplate } from '@tollgate/contracts/mails'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '../connect.ts'
import { toJsonb } from '../jsonb.ts'

export type NewDelivery = {
  readonly channel: 'mail' | 'webhook'
  /** A mail address or a URL. */
  readonly target: string
  readonly template: MailTemplate
  readonly language: Language
  readonly details: Readonly<Record<string, string>>
  readonly user_id: number
  readonly now: UnixSeconds
}

/** Adds a delivery that is due at once. */
export async function createDelivery(tx: Tx, { details, now, ...rest }: NewDelivery): Promise<number> {
  const { id } = await tx
    .insertInto('deliveries')
    .values({ ...rest, details: toJsonb(details), created_at: now, due_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
