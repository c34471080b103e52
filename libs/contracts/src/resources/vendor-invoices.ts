import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { TimeZone } from '../pricing/budgets.ts'
import { UnixSeconds } from '../units.ts'
import { IdParams, PageQuery, pageOf, QueryFlag } from '../values/common-schemas.ts'

export const INVOICE_VENDORS = ['openai', 'anthropic', 'google', 'other'] as const
export type InvoiceVendor = (typeof INVOICE_VENDORS)[number]

/** Fields of an invoice that are read from columns; the values of several columns are added up. */
export const INVOICE_FIELDS = [
  'day',
  'model',
  /** A text that names the model and what was counted, where no column names the model. */
  'item',
  /** The project, workspace or key that was billed. */
  'account',
  'requests',
  'input',
  'cached',
  'cache_write',
  'output',
  /** Tokens of the kind that the item names. */
  'quantity',
  'dollars',
  'currency',
] as const
export type InvoiceField = (typeof INVOICE_FIELDS)[number]

const Columns = z.array(z.string().max(200)).max(8).default([])

/** Which columns of a table hold what. */
export const InvoiceMapping = z.object({
  columns: z.object({
    day: Columns,
    model: Columns,
    item: Columns,
    account: Columns,
    requests: Columns,
    input: Columns,
    cached: Columns,
    cache_write: Columns,
    output: Columns,
    quantity: Columns,
    dollars: Columns,
    currency: Columns,
  }),
  /** The input tokens include those that were read from a cache or written to one. */
  has_cached_in_input: z.boolean(),
  amount_unit: z.enum(['dollar', 'cent']),
})
export type InvoiceMapping = z.infer<typeof InvoiceMapping>

/** Characters of all files of an invoice, and the rows in them. */
export const MAX_INVOICE_CHARACTERS = 4_000_000
export const MAX_INVOICE_ROWS = 50_000
export const MAX_INVOICE_DAYS = 92

export const InvoiceFile = z.object({
  name: z.string().max(255),
  text: z.string().max(MAX_INVOICE_CHARACTERS),
  /** Absent: the remembered one for these columns, else by the names of the columns. */
  mapping: InvoiceMapping.optional(),
})
export type InvoiceFile = z.infer<typeof InvoiceFile>

const InvoiceFiles = z.array(InvoiceFile).min(1).max(8)
const Day = z.string().max(10)
const AskedDay = z.iso.date().max(10)

/** Why a row of a file cannot be read. */
export const INVOICE_PROBLEMS = ['cells', 'quotes', 'json', 'empty', 'day', 'number', 'currency', 'model', 'columns', 'too-many'] as const
export const InvoiceProblem = z.object({
  file: z.string(),
  /** Line of a table, number of a record of JSON; 0: the whole file. */
  line: z.int(),
  reason: z.enum(INVOICE_PROBLEMS),
  /** The text that could not be read. */
  text: z.string(),
})
export type InvoiceProblem = z.infer<typeof InvoiceProblem>

/** Exact US dollars as decimal text. */
const Dollars = z.string()

/** Amounts on an invoice; null: it does not state them. `input` includes cached tokens. */
export const InvoiceSums = z.object({
  requests: z.int().nullable(),
  input: z.int().nullable(),
  cached: z.int().nullable(),
  output: z.int().nullable(),
  dollars: Dollars.nullable(),
})
export type InvoiceSums = z.infer<typeof InvoiceSums>

export const InvoicePreview = z.object({
  files: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      /** The first rows as they stand in the file. */
      sample: z.array(z.array(z.string())),
      mapping: InvoiceMapping,
      is_remembered: z.boolean(),
      rows: z.int(),
    }),
  ),
  /** At most 100. */
  problems: z.array(InvoiceProblem),
  problem_count: z.int(),
  rows: z.int(),
  first_day: Day,
  last_day: Day,
  models: z.array(z.string()),
  accounts: z.array(z.string()),
  total: InvoiceSums,
})
export type InvoicePreview = z.infer<typeof InvoicePreview>

/** Amounts for an account, model and day. */
export type BilledAmounts = InvoiceSums & { readonly account: string; readonly model: string; readonly day: string }

/** Likely causes of a difference, each by recorded facts. */
export const INVOICE_CAUSES = [
  'charged-retries',
  'aborted-streams',
  'counted-here',
  'price-change',
  'price-differs',
  'time-zone',
  'bypassed',
  'missing-at-vendor',
  'not-billed-yet',
  'other-channel',
  'other-name',
  'other-item',
  'cache-share',
] as const
export const InvoiceCause = z.object({
  kind: z.enum(INVOICE_CAUSES),
  /** Requests or calls that it rests on. */
  calls: z.int().optional(),
  /** The part of the difference that it explains; negative: the vendor has less. */
  input: z.int().optional(),
  output: z.int().optional(),
  cached: z.int().optional(),
  /** The vendor's charge by the price of this site. */
  ratio: z.number().optional(),
  /** The first day of another price. */
  day: Day.optional(),
  hours: z.int().optional(),
  channel_id: z.int().optional(),
  model: z.string().optional(),
})
export type InvoiceCause = z.infer<typeof InvoiceCause>

/** Recorded requests of a channel, model and day. */
export const RecordedSums = z.object({
  requests: z.int(),
  input: z.int(),
  cached: z.int(),
  output: z.int(),
  /** The vendor's charge by the price of this site and the channel's cost ratio. */
  dollars: Dollars,
  /** The charge of users. */
  charged: Dollars,
})
export type RecordedSums = z.infer<typeof RecordedSums>

export const InvoiceLine = z.object({
  n: z.int(),
  /** 0: all channels of the invoice. */
  channel_id: z.int(),
  model: z.string(),
  day: Day,
  vendor: InvoiceSums.nullable(),
  own: RecordedSums.nullable(),
  differs: z.boolean(),
  causes: z.array(InvoiceCause),
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

export const InvoiceResult = z.object({
  vendor: InvoiceSums,
  own: RecordedSums,
  /** The charge of users less the vendor's; null: the invoice states no amounts. */
  margin: Dollars.nullable(),
  lines: z.int(),
  differing: z.int(),
  causes: z.array(
    z.object({
      kind: z.enum(INVOICE_CAUSES),
      lines: z.int(),
      /** Difference of these lines: the vendor's charge less the one by this site's price. */
      dollars: Dollars,
    }),
  ),
  /** Log entries before this were deleted, so their days lack requests; 0: none. */
  logs_from: UnixSeconds,
})
export type InvoiceResult = z.infer<typeof InvoiceResult>

export const INVOICE_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

export const VendorInvoice = z.object({
  id: z.int(),
  name: z.string(),
  vendor: z.enum(INVOICE_VENDORS),
  source: z.enum(['file', 'api']),
  time_zone: z.string(),
  channel_ids: z.array(z.int()),
  /** The channel of each account. */
  accounts: z.record(z.string(), z.int()),
  first_day: Day,
  last_day: Day,
  rows: z.int(),
  created_by: z.string(),
  created_at: UnixSeconds,
  state: z.enum(INVOICE_STATES),
  /** Log entries that were looked at, and about how many there are. */
  done: z.int(),
  total: z.int(),
  finished_at: UnixSeconds,
  result: InvoiceResult.nullable(),
})
export type VendorInvoice = z.infer<typeof VendorInvoice>

const Id = z
  .int()
  .min(1)
  .max(2 ** 40)

/** Who billed which channels, in which time zone. */
const InvoiceHead = {
  name: z.string().min(1).max(100),
  vendor: z.enum(INVOICE_VENDORS),
  time_zone: TimeZone,
  channel_ids: z.array(Id).min(1).max(200),
  accounts: z.record(z.string().max(200), Id).meta({ maxProperties: 200 }).default({}),
}
export const NewInvoice = z.object({ ...InvoiceHead, files: InvoiceFiles })
export type NewInvoice = z.infer<typeof NewInvoice>

export const FetchedInvoice = z.object({
  ...InvoiceHead,
  vendor: z.enum(['openai', 'anthropic']),
  /** An administration key of the vendor. It is used once and not stored. */
  key: z.string().min(1).max(500),
  /** Empty: the vendor's own. */
  address: z.string().max(500).default(''),
  first_day: AskedDay,
  last_day: AskedDay,
})
export type FetchedInvoice = z.infer<typeof FetchedInvoice>

const InvoiceChannel = z.object({ id: z.int(), name: z.string(), type: z.int() })

export const vendorInvoices = {
  list: endpoint({
    method: 'GET',
    path: '/api/vendor_invoice/',
    access: 'admin',
    summary: 'Invoices of vendors with the totals of their comparison, newest first (ours)',
    query: PageQuery,
    data: pageOf(VendorInvoice),
  }),
  channels: endpoint({
    method: 'GET',
    path: '/api/vendor_invoice_channels',
    access: 'admin',
    summary: 'The channels that an invoice can be about (ours)',
    data: z.array(InvoiceChannel),
  }),
  find: endpoint({
    method: 'GET',
    path: '/api/vendor_invoice/{id}',
    access: 'admin',
    summary: 'An invoice with the progress or the totals of its comparison (ours)',
    params: IdParams,
    data: VendorInvoice,
  }),
  lines: endpoint({
    method: 'GET',
    path: '/api/vendor_invoice/{id}/lines',
    access: 'admin',
    summary: 'The comparison by channel, model and day, largest difference first (ours)',
    params: IdParams,
    query: z.object({ ...PageQuery.shape, differing: QueryFlag }),
    data: pageOf(InvoiceLine),
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/vendor_invoice/{id}/export',
    access: 'admin',
    summary: 'The comparison as a CSV file (ours)',
    params: IdParams,
    answer: z.string(),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/vendor_invoice/preview',
    access: 'admin',
    load: 'heavy',
    bodyLimit: 3 * MAX_INVOICE_CHARACTERS,
    summary: 'Reads files of an invoice without storing them: columns, mapping, totals, and rows that cannot be read (ours)',
    body: z.object({ vendor: InvoiceHead.vendor, time_zone: TimeZone, files: InvoiceFiles }),
    data: InvoicePreview,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/vendor_invoice/',
    access: 'admin',
    load: 'heavy',
    bodyLimit: 3 * MAX_INVOICE_CHARACTERS,
    summary: 'Stores an invoice of a vendor and compares it with the log in the background; refused whole if a row cannot be read (ours)',
    body: NewInvoice,
    data: VendorInvoice,
  }),
  fetch: endpoint({
    method: 'POST',
    path: '/api/vendor_invoice/fetch',
    access: 'admin',
    load: 'heavy',
    summary: 'Fetches usage and costs from a vendor with an administration key, which is not stored, and compares them (ours)',
    body: FetchedInvoice,
    data: VendorInvoice,
  }),
  compare: endpoint({
    method: 'POST',
    path: '/api/vendor_invoice/{id}/compare',
    access: 'admin',
    summary: 'Compares an invoice with the log once more (ours)',
    params: IdParams,
    data: VendorInvoice,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/vendor_invoice/{id}',
    access: 'admin',
    summary: 'Deletes an invoice of a vendor with its comparison (ours)',
    params: IdParams,
  }),
}
