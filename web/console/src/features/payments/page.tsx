import { PAYMENT_STATUSES } from '@tollgate/contracts/enums'
import type { PaymentOrder } from '@tollgate/contracts/resources/payments'
import { Receipt } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { CutText, TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { usePagedList } from '../../ui/list/use-list.ts'
import { moneyText } from '../../ui/payment/money-text.ts'
import { orderState } from '../../ui/payment/order-state.ts'
import { paymentPage } from './api.ts'
import { methodText, OrderDrawer } from './order-drawer.tsx'
import { parsePaymentSearch, type PaymentSearch } from './search.ts'

type PageProps = { readonly search: PaymentSearch; readonly guarded: Guarded; readonly onSearch: (search: PaymentSearch) => void }

/** `/payment`: all payment orders. */
export function PaymentsPage({ search, guarded, onSearch }: PageProps): ReactNode {
  const { t } = useTranslation('payments')
  const { keyword = '', status = '' } = search
  const list = usePagedList(search.page ?? 1, (p, page_size) => paymentPage({ p, page_size, keyword, status }))
  const open = list.rows?.find(({ trade_no }) => trade_no === search.order)
  return (
    <ResourceList
      name="payment"
      title={t('admin.title')}
      list={list}
      columns={useColumns()}
      filters={[
        {
          kind: 'text',
          name: 'keyword',
          label: t('column.keyword'),
          placeholder: t('admin.search-placeholder'),
          isMain: true,
          width: '20rem',
        },
        {
          kind: 'choice',
          name: 'status',
          label: t('column.status'),
          choices: [
            { value: '', label: t('admin.all-statuses') },
            ...PAYMENT_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
          ],
        },
      ]}
      search={search}
      onSearch={onSearch}
      idOf={({ id }) => id}
      nameOf={({ trade_no }) => trade_no}
      onOpen={({ trade_no }) => onSearch({ ...search, order: trade_no })}
      openId={open?.id}
      isSortable={false}
      empty={{ title: t('admin.empty-title'), help: t('admin.empty-help'), icon: <Receipt /> }}
    >
      {open === undefined ? null : (
        <OrderDrawer order={open} guarded={guarded} onClose={() => onSearch(parsePaymentSearch({ ...search, order: '' }))} />
      )}
    </ResourceList>
  )
}

function useColumns(): readonly Column<PaymentOrder>[] {
  const { t, i18n } = useTranslation('payments')
  return [
    {
      id: 'trade_no',
      header: t('column.trade_no'),
      cell: ({ trade_no }) => <CopyId text={trade_no} />,
      text: ({ trade_no }) => trade_no,
      isFixed: true,
    },
    {
      id: 'user',
      header: t('column.user'),
      cell: ({ username, user_id }) => <CutText text={username === '' ? `#${user_id}` : username} />,
      text: ({ username }) => username,
      card: 'title',
    },
    {
      id: 'status',
      header: t('column.status'),
      cell: (order) => <StatusTag tone={orderState(order).tone}>{t(`status.${orderState(order).text}`)}</StatusTag>,
      text: (order) => t(`status.${orderState(order).text}`),
      card: 'status',
    },
    {
      id: 'money',
      header: t('column.money'),
      cell: ({ money, currency }) => moneyText(money, currency, i18n.language),
      text: ({ money }) => money,
      align: 'end',
      card: 'line',
    },
    {
      id: 'quota',
      header: t('column.quota'),
      cell: ({ quota }) => <QuotaText quota={quota} />,
      text: ({ quota }) => quota,
      align: 'end',
      card: 'line',
    },
    { id: 'method', header: t('column.method'), cell: (order) => methodText(t, order), text: (order) => methodText(t, order) },
    {
      id: 'created_at',
      header: t('column.created_at'),
      cell: ({ created_at }) => <TimeText time={created_at} absent="" />,
      text: ({ created_at }) => created_at,
      card: 'line',
    },
    {
      id: 'paid_at',
      header: t('column.paid_at'),
      cell: ({ paid_at }) => <TimeText time={paid_at} absent="—" />,
      text: ({ paid_at }) => paid_at,
      isOptional: true,
    },
  ]
}
