import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  vendorInvoices,
  type FetchedInvoice,
  type InvoiceFile,
  type InvoiceVendor,
  type NewInvoice,
  type VendorInvoice,
} from '@tollgate/contracts/resources/vendor-invoices'
import { call, callForFile, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

const ASK_EVERY_MS = 1000

const isOpen = ({ state }: Pick<VendorInvoice, 'state'>): boolean => state === 'waiting' || state === 'running'

type Paging = { readonly p: number; readonly page_size: number }

/** Invoices, asked again while one is being compared. */
export const invoicePage = (query: Paging) =>
  queryOptions({
    queryKey: keyOf(vendorInvoices.list, query),
    queryFn: ({ signal }) => call(vendorInvoices.list, { query, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) === true ? 2 * ASK_EVERY_MS : false),
  })

/** One invoice, asked again until its comparison has ended. */
export const invoice = (id: number) =>
  queryOptions({
    queryKey: keyOf(vendorInvoices.find, id),
    queryFn: ({ signal }) => call(vendorInvoices.find, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? ASK_EVERY_MS : false),
    meta: { inline: true },
  })

/** `compared`: when the comparison ended, so that its lines are read again after another one. */
export const invoiceLines = (id: number, compared: number, query: Paging & { readonly differing: boolean }) =>
  queryOptions({
    queryKey: keyOf(vendorInvoices.lines, id, compared, query),
    queryFn: ({ signal }) => call(vendorInvoices.lines, { params: { id }, query, signal }),
  })

export const invoiceChannels = queryOptions({
  queryKey: keyOf(vendorInvoices.channels),
  queryFn: ({ signal }) => call(vendorInvoices.channels, { signal }),
  meta: { inline: true },
})

type PreviewInput = { readonly vendor: InvoiceVendor; readonly time_zone: string; readonly files: InvoiceFile[] }

/** The files as the server reads them; `version` stands for them. The last answer stays while a mapping changes. */
export const invoicePreview = (version: number, body: PreviewInput) =>
  queryOptions({
    queryKey: keyOf(vendorInvoices.preview, version),
    queryFn: ({ signal }) => call(vendorInvoices.preview, { body, signal }),
    enabled: body.files.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    meta: { inline: true },
  })

export const exportOf = (id: number): Promise<Blob> => callForFile(vendorInvoices.export, { params: { id } })

function useChange<Input, Result>(run: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: run, onSuccess: () => refresh(client, vendorInvoices.list), meta: { quiet: true } })
}

export const useCreate = () => useChange((body: NewInvoice) => call(vendorInvoices.create, { body }))
export const useFetch = () => useChange((body: FetchedInvoice) => call(vendorInvoices.fetch, { body }))
export const useCompare = () => useChange((id: number) => call(vendorInvoices.compare, { params: { id } }))
export const useRemove = () => useChange((id: number) => call(vendorInvoices.remove, { params: { id } }))
