import { Alert, Flex, Skeleton, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { self } from '@tollgate/contracts/resources/self'
import type { PaymentOrder } from '@tollgate/contracts/resources/payments'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../../lib/query-client.ts'
import { CopyId } from '../../../ui/display/copy-button.tsx'
import { TimeText } from '../../../ui/display/number-text.tsx'
import { QuotaText } from '../../../ui/display/quota-text.tsx'
import { StatusTag } from '../../../ui/display/tone-tag.tsx'
import { Panel, PanelRow } from '../../../ui/page/panel.tsx'
import { orderState } from '../../../ui/payment/order-state.ts'
import { ownOrders } from './api.ts'
import { moneyText } from '../../../ui/payment/money-text.ts'
import { labelOf } from './online-top-up.tsx'

const ASK_EVERY_MS = 3000

/** State of the payment that the payer comes back from; asked for until it is decided. */
export function ReturnedOrder({ trade_no }: { readonly trade_no: string }): ReactNode {
  const { t } = useTranslation('payments')
  const client = useQueryClient()
  const orders = useQuery({
    ...ownOrders,
    refetchInterval: ({ state }) => (orderOf(state.data?.items, trade_no)?.status === 'pending' ? ASK_EVERY_MS : false),
  })
  const status = orderOf(orders.data?.items, trade_no)?.status
  const isPaid = status === 'paid'
  useEffect(() => {
    // Balance and statement are both below `/api/user`.
    if (isPaid) void refresh(client, self.get)
  }, [client, isPaid])
  if (orders.isPending) return <Skeleton height="12" aria-busy />
  const outcome = status === undefined ? undefined : OUTCOMES[status]
  if (outcome === undefined) return null
  return (
    <Alert.Root status={TONES[outcome]} aria-live="polite">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{t(`mine.${outcome}`)}</Alert.Title>
        {outcome === 'arrived' ? null : <Alert.Description>{t(`mine.${outcome}-help`)}</Alert.Description>}
      </Alert.Content>
    </Alert.Root>
  )
}

/** A payment that was refunded since has its own mark in the list. */
const OUTCOMES: Readonly<Partial<Record<PaymentOrder['status'], 'arrived' | 'waiting' | 'unpaid'>>> = {
  paid: 'arrived',
  pending: 'waiting',
  failed: 'unpaid',
  expired: 'unpaid',
}
const TONES = { arrived: 'success', waiting: 'info', unpaid: 'warning' } as const

const orderOf = (items: readonly PaymentOrder[] | undefined, trade_no: string): PaymentOrder | undefined =>
  items?.find((order) => order.trade_no === trade_no)

/** The latest orders. */
export function OwnOrders(): ReactNode {
  const { t } = useTranslation('payments')
  const orders = useQuery(ownOrders)
  const items = orders.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Panel title={t('mine.title')} help={t('mine.help')} isFlush>
      {items.map((order) => (
        <OrderRow key={order.id} order={order} />
      ))}
    </Panel>
  )
}

function OrderRow({ order }: { readonly order: PaymentOrder }): ReactNode {
  const { t, i18n } = useTranslation('payments')
  const state = orderState(order)
  return (
    <PanelRow
      title={
        <Flex gap="2" align="center" wrap="wrap">
          <QuotaText quota={order.quota} />
          <Text as="span" color="text.muted" textStyle="sm">
            {moneyText(order.money, order.currency, i18n.language)} · {t(labelOf(order.method))}
            {Number(order.refunded) === 0
              ? null
              : ` · ${t('mine.refunded', { money: moneyText(order.refunded, order.currency, i18n.language) })}`}
          </Text>
        </Flex>
      }
      action={<StatusTag tone={state.tone}>{t(`status.${state.text}`)}</StatusTag>}
    >
      <Flex gap="3" wrap="wrap">
        <TimeText time={order.created_at} absent="" />
        <CopyId text={order.trade_no} />
      </Flex>
    </PanelRow>
  )
}
