import { Skeleton } from '@chakra-ui/react'
import type { VendorInvoice } from '@tollgate/contracts/resources/vendor-invoices'
import { FileSpreadsheet, Trash2 } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saying } from '../../lib/saying.ts'
import { TimeText } from '../../ui/display/number-text.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import { RowActions } from '../../ui/list/row-actions.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { usePagedList } from '../../ui/list/use-list.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { invoicePage, useRemove } from './api.ts'
import { amountText } from './money.ts'
import type { InvoiceSearch } from './search.ts'
import { STATE_TONES } from './state-tones.ts'

/** The form and the comparison are fetched when they are opened. */
const Comparison = lazy(async () => ({ default: (await import('./comparison.tsx')).Comparison }))
const NewInvoice = lazy(async () => ({ default: (await import('./new-invoice.tsx')).NewInvoice }))

type PageProps = { readonly search: InvoiceSearch; readonly onSearch: (search: InvoiceSearch) => void }

/** `/invoice`: invoices of vendors, one of them compared with the log, or the form of a new one. */
export function InvoicesPage(props: PageProps): ReactNode {
  const { search, onSearch } = props
  if (search.id === undefined && search.view !== 'new') return <Invoices {...props} />
  return (
    <Suspense fallback={<Skeleton h="60" aria-busy />}>
      {search.id === undefined ? (
        <NewInvoice onDone={(id) => onSearch(id === undefined ? {} : { id })} />
      ) : (
        <Comparison id={search.id} search={search} onSearch={onSearch} />
      )}
    </Suspense>
  )
}

function Invoices({ search, onSearch }: PageProps): ReactNode {
  const { t } = useTranslation('invoices')
  const list = usePagedList(search.page ?? 1, (p, page_size) => invoicePage({ p, page_size }))
  const { ask, dialog } = useConfirm()
  const remove = useRemove()
  const askRemoval = ({ id, name }: VendorInvoice): void =>
    ask({
      title: t('delete-title', { name }),
      help: t('delete-help'),
      confirm: t('delete'),
      run: () => saying(remove.mutateAsync(id), () => t('deleted')),
    })
  return (
    <ResourceList
      name="invoice"
      title={t('title')}
      list={list}
      columns={useColumns(askRemoval)}
      filters={[]}
      search={search}
      onSearch={onSearch}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      isSortable={false}
      create={{ label: t('add'), run: () => onSearch({ view: 'new' }) }}
      onOpen={({ id }) => onSearch({ id })}
      empty={{ title: t('empty-title'), help: t('empty-help'), icon: <FileSpreadsheet /> }}
    >
      {dialog}
    </ResourceList>
  )
}

function useColumns(askRemoval: (one: VendorInvoice) => void): readonly Column<VendorInvoice>[] {
  const { t } = useTranslation(['invoices', 'display'])
  const amount = (
    id: 'billed' | 'expected' | 'margin',
    of: (result: NonNullable<VendorInvoice['result']>) => string | null,
  ): Column<VendorInvoice> => {
    const text = ({ result }: VendorInvoice): string => (result === null ? '–' : amountText(of(result)))
    return { id, header: t(`column.${id}`), cell: text, text, align: 'end', card: 'line' }
  }
  const differing = ({ result }: VendorInvoice): string =>
    result === null ? '–' : t('lines-of', { differing: result.differing, lines: result.lines })
  return [
    { id: 'name', header: t('column.name'), cell: ({ name }) => name, text: ({ name }) => name, isFixed: true, card: 'title' },
    {
      id: 'vendor',
      header: t('column.vendor'),
      cell: ({ vendor }) => t(`vendor.${vendor}`),
      text: ({ vendor }) => t(`vendor.${vendor}`),
    },
    {
      id: 'days',
      header: t('column.days'),
      cell: ({ first_day, last_day }) => `${first_day} – ${last_day}`,
      text: ({ first_day, last_day }) => `${first_day} – ${last_day}`,
      card: 'line',
    },
    {
      id: 'state',
      header: t('column.state'),
      cell: ({ state }) => <StatusTag tone={STATE_TONES[state]}>{t(`state.${state}`)}</StatusTag>,
      text: ({ state }) => t(`state.${state}`),
      card: 'status',
    },
    amount('billed', ({ vendor }) => vendor.dollars),
    amount('expected', ({ own }) => own.dollars),
    amount('margin', ({ margin }) => margin),
    { id: 'differing', header: t('column.differing'), cell: differing, text: differing, align: 'end', card: 'line' },
    {
      id: 'created',
      header: t('column.created'),
      cell: ({ created_at }) => <TimeText time={created_at} absent="–" />,
      text: ({ created_at }) => created_at,
    },
    {
      id: 'actions',
      header: t('display:table.actions'),
      cell: (one) => <RowActions inline={[{ label: t('delete'), icon: <Trash2 />, run: () => askRemoval(one) }]} menu={[]} />,
      isFixed: true,
      align: 'end',
      isSticky: 'end',
      card: 'actions',
    },
  ]
}
