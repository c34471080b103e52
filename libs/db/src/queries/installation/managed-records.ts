import type { ConfigKind, ManagedRecord } from '@tollgate/contracts/resources/config'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'

type Named = { readonly kind: ConfigKind; readonly name: string }
/** A record as it was applied; secrets as fingerprints. */
export type AppliedRecord = Named & {
  readonly fields: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
}

/** Records that files manage, for the console. */
export async function listManagedNames(db: Db | Tx): Promise<ManagedRecord[]> {
  return await db
    .selectFrom('managed_records')
    .select(['kind', 'name', 'owner', 'applied_at', 'applied_by'])
    .$narrowType<{ kind: ConfigKind }>()
    .orderBy('kind')
    .orderBy('name')
    .execute()
}

/** Records that the files of one owner applied last. */
export async function listAppliedRecords(db: Db | Tx, owner: string): Promise<AppliedRecord[]> {
  return await db
    .selectFrom('managed_records')
    .select(['kind', 'name', 'fields', 'secrets'])
    .$narrowType<{ kind: ConfigKind }>()
    .where('owner', '=', owner)
    .orderBy('kind')
    .orderBy('name')
    .execute()
}

/** True if files manage a record of the kind. */
export async function hasManaged(db: Db | Tx, kind: ConfigKind): Promise<boolean> {
  return (await db.selectFrom('managed_records').select('kind').where('kind', '=', kind).limit(1).executeTakeFirst()) !== undefined
}

/** Those of the names that files manage. */
export async function findManagedNames(db: Db | Tx, kind: ConfigKind, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const rows = await db.selectFrom('managed_records').select('name').where('kind', '=', kind).where('name', 'in', names).execute()
  return new Set(rows.map(({ name }) => name))
}

type Applied = { readonly owner: string; readonly applied_at: UnixSeconds; readonly applied_by: string }

/** One statement has room for 65 535 parameters. */
const AT_ONCE = 5000

/** Marks records as managed; those of another owner change theirs. */
export async function saveManagedRecords(tx: Tx, records: readonly AppliedRecord[], by: Applied): Promise<void> {
  for (let start = 0; start < records.length; start += AT_ONCE) {
    await tx
      .insertInto('managed_records')
      .values(
        records
          .slice(start, start + AT_ONCE)
          .map(({ kind, name, fields, secrets }) => ({ kind, name, fields: toJsonb(fields), secrets: toJsonb(secrets), ...by })),
      )
      .onConflict((conflict) =>
        conflict.columns(['kind', 'name']).doUpdateSet((eb) => ({
          fields: eb.ref('excluded.fields'),
          secrets: eb.ref('excluded.secrets'),
          owner: eb.ref('excluded.owner'),
          applied_at: eb.ref('excluded.applied_at'),
          applied_by: eb.ref('excluded.applied_by'),
        })),
      )
      .execute()
  }
}

export async function removeManagedRecords(tx: Tx, records: readonly Named[]): Promise<void> {
  for (const [kind, ofKind] of Map.groupBy(records, (record) => record.kind)) {
    await tx
      .deleteFrom('managed_records')
      .where('kind', '=', kind)
      .where(
        'name',
        'in',
        ofKind.map(({ name }) => name),
      )
      .execute()
  }
}
