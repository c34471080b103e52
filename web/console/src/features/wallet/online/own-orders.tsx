import { Alert, chakra, Flex, Text } from '@chakra-ui/react'
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

/** The latest orders; the one that the payer comes back from is asked about until it is decided. */
export function OwnOrders({ returnedFrom }: { readonly returnedFrom: string | undefined }): ReactNode {
  const { t } = useTranslation('payments')
  const client = useQueryClient()
  const orders = useQuery({
    ...ownOrders,
    refetchInterval: ({ state }) => (isWaiting(state.data?.items, returnedFrom) ? ASK_EVERY_MS : false),
  })
  const items = orders.data?.items ?? []
  const returned = items.find(({ trade_no }) => trade_no === returnedFrom)
  const hasArrived = returned?.status === 'paid'
  useEffect(() => {
    // Balance and statement are both below `/api/user`.
    if (hasArrived) void refresh(client, self.get)
  }, [client, hasArrived])
  if (items.length === 0) return null
  return (
    <Panel title={t('mine.title')} help={t('mine.help')} isFlush>
      {returned === undefined ? null : <Returned order={returned} />}
      {items.map((order) => (
        <OrderRow key={order.id} order={order} />
      ))}
    </Panel>
  )
}

const isWaiting = (items: readonly PaymentOrder[] | undefined, trade_no: string | undefined): boolean =>
  items?.some((order) => order.trade_no === trade_no && order.status === 'pending') ?? false

function Returned({ order }: { readonly order: PaymentOrder }): ReactNode {
  const { t } = useTranslation('payments')
  if (order.status !== 'pending' && order.status !== 'paid') return null
  const isPaid = order.status === 'paid'
  return (
    <chakra.div p="4" pb="2" aria-live="polite">
      <Alert.Root status={isPaid ? 'success' : 'info'}>
        <Alert.Indicator />
        <Alert.Content>
          <Alert.Title>{t(isPaid ? 'mine.arrived' : 'mine.waiting')}</Alert.Title>
          {isPaid ? null : <Alert.Description>{t('mine.waiting-help')}</Alert.Description>}
        </Alert.Content>
      </Alert.Root>
    </chakra.div>
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
