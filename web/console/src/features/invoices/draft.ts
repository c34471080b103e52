import type { InvoiceField, InvoiceMapping, InvoiceVendor } from '@tollgate/contracts/resources/vendor-invoices'

/** A chosen file; `mapping` is what was typed for it. */
export type DraftFile = { readonly name: string; readonly text: string; readonly mapping: InvoiceMapping | undefined }

export type Draft = {
  readonly name: string
  readonly vendor: InvoiceVendor
  readonly time_zone: string
  readonly channels: readonly string[]
  readonly accounts: Readonly<Record<string, number>>
  readonly source: 'file' | 'api'
  readonly files: readonly DraftFile[]
  /** Counts changes of the files, so that they need not be compared. */
  readonly version: number
  readonly key: string
  readonly first_day: string
  readonly last_day: string
}

export type Change = (change: Partial<Draft>) => void

export const VENDOR_TIME_ZONES: Readonly<Record<InvoiceVendor, string>> = {
  openai: 'UTC',
  anthropic: 'UTC',
  google: 'America/Los_Angeles',
  other: 'UTC',
}

/** The month before this one, for which vendors have just sent their invoices. */
export function firstDraft(now: Date): Draft {
  const dayOf = (month: number, day: number): string => new Date(Date.UTC(now.getUTCFullYear(), month, day)).toISOString().slice(0, 10)
  return {
    name: '',
    vendor: 'openai',
    time_zone: VENDOR_TIME_ZONES.openai,
    channels: [],
    accounts: {},
    source: 'file',
    files: [],
    version: 0,
    key: '',
    first_day: dayOf(now.getUTCMonth() - 1, 1),
    last_day: dayOf(now.getUTCMonth(), 0),
  }
}

/** A channel among the chosen ones, by a text that shows its name and number. */
export const channelLabel = ({ id, name }: { readonly id: number; readonly name: string }): string => `${name} #${id}`
export const channelIdOf = (label: string): number => Number(label.slice(label.lastIndexOf('#') + 1))

/** Vendors whose reports can be fetched. */
export const isFetched = (vendor: InvoiceVendor): vendor is 'openai' | 'anthropic' => vendor === 'openai' || vendor === 'anthropic'

export function isComplete({ name, channels, source, files, key, vendor }: Draft): boolean {
  if (name.trim() === '' || channels.length === 0) return false
  return source === 'file' ? files.length > 0 : key.trim() !== '' && isFetched(vendor)
}

/** The column of a field; several are kept while the reader leaves them alone. */
export const columnOf = ({ columns }: InvoiceMapping, field: InvoiceField): string => columns[field].join(' + ')

export const withColumn = (mapping: InvoiceMapping, field: InvoiceField, column: string): InvoiceMapping => ({
  ...mapping,
  columns: { ...mapping.columns, [field]: column === '' ? [] : [column] },
})
