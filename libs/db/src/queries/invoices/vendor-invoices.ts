import { sql } from 'kysely'
import type {
  BilledAmounts,
  InvoiceLine,
  InvoiceMapping,
  InvoiceResult,
  InvoiceVendor,
  VendorInvoice,
} from '@tollgate/contracts/resources/vendor-invoices'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { tableOf, type ColumnTypes } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import { finishRun, OPEN_STATES, reportRun, type Ending } from '../prices/replay-runs.ts'
import { queueEvent, type NewEvent } from '../deliveries/events.ts'

const SHOWN = [
  'id',
  'name',
  'vendor',
  'source',
  'time_zone',
  'channel_ids',
  'accounts',
  'first_day',
  'last_day',
  'rows',
  'created_by',
  'created_at',
  'state',
  'done',
  'total',
  'finished_at',
  'result',
] as const
type Narrowed = Pick<VendorInvoice, 'vendor' | 'source' | 'state'>

type NewInvoice = Pick<
  VendorInvoice,
  | 'name'
  | 'vendor'
  | 'source'
  | 'time_zone'
  | 'channel_ids'
  | 'accounts'
  | 'first_day'
  | 'last_day'
  | 'rows'
  | 'created_by'
  | 'created_at'
  | 'total'
> & { readonly billed: readonly BilledAmounts[] }

export async function createVendorInvoice(tx: Tx, { channel_ids, accounts, billed, ...invoice }: NewInvoice): Promise<VendorInvoice> {
  return await tx
    .insertInto('vendor_invoices')
    .values({ ...invoice, channel_ids: toJsonb(channel_ids), accounts: toJsonb(accounts), billed: toJsonb(billed) })
    .returning(SHOWN)
    .$narrowType<Narrowed>()
    .executeTakeFirstOrThrow()
}

type Page = { readonly limit: number; readonly offset: number }

/** Newest first, with their number. */
export async function listVendorInvoices(db: Db, { limit, offset }: Page): Promise<{ items: VendorInvoice[]; total: number }> {
  const items = await db
    .selectFrom('vendor_invoices')
    .select(SHOWN)
    .$narrowType<Narrowed>()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await db
    .selectFrom('vendor_invoices')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}

export async function findVendorInvoice(db: Db | Tx, id: number): Promise<VendorInvoice | undefined> {
  return await db.selectFrom('vendor_invoices').select(SHOWN).$narrowType<Narrowed>().where('id', '=', id).executeTakeFirst()
}

/** Orders the comparison once more; undefined: there is no such invoice. The lines of the last one stay until the next is done. */
export async function reopenVendorInvoice(tx: Tx, id: number): Promise<VendorInvoice | undefined> {
  return await tx
    .updateTable('vendor_invoices')
    .set({ state: 'waiting', done: 0, finished_at: 0 })
    .where('id', '=', id)
    .returning(SHOWN)
    .$narrowType<Narrowed>()
    .executeTakeFirst()
}

/** The name of the invoice; undefined: there was none. */
export async function deleteVendorInvoice(tx: Tx, id: number): Promise<string | undefined> {
  return (await tx.deleteFrom('vendor_invoices').where('id', '=', id).returning('name').executeTakeFirst())?.name
}

export type InvoiceOrder = Pick<
  VendorInvoice,
  'name' | 'time_zone' | 'channel_ids' | 'accounts' | 'first_day' | 'last_day' | 'created_at'
> & {
  readonly billed: readonly BilledAmounts[]
  readonly vendor: string
}

/** Marks a comparison as running and gives its order; undefined when it has ended. */
export async function startInvoice(db: Db, id: number): Promise<InvoiceOrder | undefined> {
  return await db
    .updateTable('vendor_invoices')
    .set({ state: 'running', done: 0 })
    .where('id', '=', id)
    .where('state', 'in', OPEN_STATES)
    .returning(['name', 'vendor', 'time_zone', 'channel_ids', 'accounts', 'first_day', 'last_day', 'created_at', 'billed'])
    .executeTakeFirst()
}

/** Stores the progress; false when the invoice was deleted. */
export const reportInvoice = (db: Db, id: number, done: number): Promise<boolean> => reportRun(db, 'vendor_invoices', { id, done })

/** Ends a comparison without lines; false when it has ended. */
export const failInvoice = (db: Db, id: number, ending: Ending<InvoiceResult>): Promise<boolean> =>
  finishRun(db, 'vendor_invoices', id, ending)

const LINE: ColumnTypes<StoredLine> = {
  n: 'bigint',
  channel_id: 'bigint',
  model: 'text',
  day: 'text',
  vendor: 'jsonb',
  own: 'jsonb',
  differs: 'boolean',
  causes: 'jsonb',
}
type StoredLine = InvoiceLine

/** Lines of a statement: an array parameter of all of a large invoice would be too long. */
const CHUNK = 1000

type Compared = { readonly id: number; readonly lines: readonly InvoiceLine[]; readonly ending: Ending<InvoiceResult> } & {
  /** Told with the end. */
  readonly event?: NewEvent<'invoice.differs'> | undefined
}

/** Replaces the lines of a comparison and ends it; false when it has ended. */
export async function finishInvoice(db: Db, { id, lines, ending, event }: Compared): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    if (!(await finishRun(tx, 'vendor_invoices', id, ending))) return false
    await tx.deleteFrom('vendor_invoice_lines').where('invoice_id', '=', id).execute()
    for (let at = 0; at < lines.length; at += CHUNK) {
      const part = lines.slice(at, at + CHUNK)
      await sql`
        insert into vendor_invoice_lines (invoice_id, n, channel_id, model, day, vendor, own, differs, causes)
        select ${id}, x.* from ${tableOf(part, LINE)}`.execute(tx)
    }
    if (event !== undefined) await queueEvent(tx, event)
    return true
  })
}

type LinePage = Page & { readonly id: number; readonly differing: boolean }

/** Lines of a comparison in their order, with their number. */
export async function listInvoiceLines(
  db: Db | Tx,
  { id, differing, limit, offset }: LinePage,
): Promise<{ items: InvoiceLine[]; total: number }> {
  const matching = db
    .selectFrom('vendor_invoice_lines')
    .where('invoice_id', '=', id)
    .$if(differing, (query) => query.where('differs', '=', true))
  const items = await matching
    .select(['n', 'channel_id', 'model', 'day', 'vendor', 'own', 'differs', 'causes'])
    .orderBy('n')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}

type Columns = { readonly vendor: InvoiceVendor; readonly columns_hash: string }

export async function listInvoiceMappings(
  db: Db,
  { vendor, hashes }: { readonly vendor: InvoiceVendor; readonly hashes: readonly string[] },
): Promise<ReadonlyMap<string, InvoiceMapping>> {
  if (hashes.length === 0) return new Map()
  const rows = await db
    .selectFrom('vendor_invoice_mappings')
    .select(['columns_hash', 'mapping'])
    .where('vendor', '=', vendor)
    .where('columns_hash', 'in', hashes)
    .execute()
  return new Map(rows.map(({ columns_hash, mapping }) => [columns_hash, mapping]))
}

export async function saveInvoiceMapping(
  tx: Tx,
  { vendor, columns_hash, mapping, now }: Columns & { readonly mapping: InvoiceMapping; readonly now: UnixSeconds },
): Promise<void> {
  await sql`
    insert into vendor_invoice_mappings (vendor, columns_hash, mapping, updated_at)
    values (${vendor}, ${columns_hash}, ${toJsonb(mapping)}, ${now})
    on conflict (vendor, columns_hash) do update set mapping = excluded.mapping, updated_at = excluded.updated_at`.execute(tx)
}
