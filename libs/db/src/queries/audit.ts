import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '../connect.ts'
import { toJsonb } from '../jsonb.ts'

export type NewAuditEntry = {
  readonly actor_id: number
  /** The action, as `resource.verb`. */
  readonly action: string
  /** Its object, as `resource id`. */
  readonly subject: string
  /** The change, without secrets. */
  readonly detail: Readonly<Record<string, unknown>>
  readonly ip: string
  readonly now: UnixSeconds
}

/** Records an administrative action in the transaction that performs it. */
export async function createAuditEntry(tx: Tx, { actor_id, action, subject, detail, ip, now }: NewAuditEntry): Promise<void> {
  await tx
    .insertInto('audit_entries')
    .values({ actor_id, action, subject, detail: toJsonb(detail), ip, created_at: now })
    .execute()
}
