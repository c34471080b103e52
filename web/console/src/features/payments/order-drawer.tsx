import { Alert, Button, chakra, Flex, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { PaymentOrder, PaymentStatement } from '@tollgate/contracts/resources/payments'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatusTag, ToneTag } from '../../ui/display/tone-tag.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { moneyText } from '../../ui/payment/money-text.ts'
import { orderState } from '../../ui/payment/order-state.ts'
import { statementsOf, useCheckPayment, useCompletePayment } from './api.ts'

/** One order: its facts, what the provider said about it, and what an operator can do. */
export function OrderDrawer({ order, guarded, onClose }: CompleteProps & { readonly onClose: () => void }): ReactNode {
  const { t, i18n } = useTranslation('payments')
  const state = orderState(order)
  const check = useCheckPayment()
  const isOpen = order.status !== 'paid' && order.status !== 'refunded'
  const ask = async (): Promise<void> => {
    const now = await check.mutateAsync(order.trade_no)
    toast.info(t('admin.checked', { status: t(`status.${orderState(now).text}`) }))
  }
  return (
    <DetailDrawer
      title={t('admin.title')}
      onClose={onClose}
      footer={
        <>
          {isOpen ? <Complete order={order} guarded={guarded} /> : null}
          <Button loading={check.isPending} onClick={() => void ask().catch(() => undefined)}>
            {t('admin.check')}
          </Button>
        </>
      }
    >
      <Stack gap="6">
        <FactsList>
          <Fact name={t('column.trade_no')}>
            <CopyId text={order.trade_no} />
          </Fact>
          <Fact name={t('column.status')}>
            <StatusTag tone={state.tone}>{t(`status.${state.text}`)}</StatusTag>
          </Fact>
          <Fact name={t('column.user')}>{order.username === '' ? `#${order.user_id}` : order.username}</Fact>
          <Fact name={t('column.money')}>{moneyText(order.money, order.currency, i18n.language)}</Fact>
          {Number(order.refunded) === 0 ? null : (
            <Fact name={t('column.refunded')}>{moneyText(order.refunded, order.currency, i18n.language)}</Fact>
          )}
          <Fact name={t('column.quota')}>
            <QuotaText quota={order.quota} />
          </Fact>
          <Fact name={t('column.method')}>{methodText(t, order)}</Fact>
          <Fact name={t('column.created_at')}>
            <TimeText time={order.created_at} absent="" />
          </Fact>
          <Fact name={t('column.paid_at')}>
            <TimeText time={order.paid_at} absent="—" />
          </Fact>
          {order.note === '' ? null : <Fact name={t('column.note')}>{order.note}</Fact>}
        </FactsList>
        {order.dispute === 'open' || order.dispute === 'lost' ? (
          <Alert.Root status="warning">
            <Alert.Indicator />
            <Alert.Content>
              <Alert.Description>{t(`admin.dispute-${order.dispute}`)}</Alert.Description>
            </Alert.Content>
          </Alert.Root>
        ) : null}
        <Statements trade_no={order.trade_no} />
      </Stack>
    </DetailDrawer>
  )
}

const EVENT_TONES = { credited: 'green', refunded: 'orange', closed: 'grey', noted: 'grey', known: 'grey', refused: 'red' } as const
type Outcome = keyof typeof EVENT_TONES

function Statements({ trade_no }: { readonly trade_no: string }): ReactNode {
  const { t } = useTranslation('payments')
  const { data } = useQuery(statementsOf(trade_no))
  return (
    <chakra.section>
      <Text as="h3" textStyle="section" color="text.strong" mb="2">
        {t('admin.statements')}
      </Text>
      {data?.length === 0 ? <Text color="text.muted">{t('admin.no-statements')}</Text> : null}
      <Stack gap="3">
        {data?.map((statement) => (
          <Statement key={statement.event_id} statement={statement} />
        ))}
      </Stack>
    </chakra.section>
  )
}

function Statement({ statement }: { readonly statement: PaymentStatement }): ReactNode {
  const { t } = useTranslation('payments')
  const outcome = isOutcome(statement.outcome) ? statement.outcome : 'noted'
  return (
    <chakra.div borderWidth="1px" borderColor="border" borderRadius="control" p="3">
      <Flex gap="2" align="center" wrap="wrap">
        <Text color="text.strong">{isEvent(statement.kind) ? t(`event.${statement.kind}`) : statement.kind}</Text>
        <ToneTag tone={EVENT_TONES[outcome]}>{t(`outcome.${outcome}`)}</ToneTag>
        {statement.received > 1 ? (
          <Text textStyle="xs" color="text.muted">
            {t('admin.statement-times', { count: statement.received })}
          </Text>
        ) : null}
      </Flex>
      <Text textStyle="xs" color="text.muted">
        <TimeText time={statement.last_at} absent="" />
      </Text>
      {statement.detail === '' ? null : (
        <Text textStyle="mono" color="danger.fg" overflowWrap="anywhere">
          {statement.detail}
        </Text>
      )}
    </chakra.div>
  )
}

const isOutcome = (text: string): text is Outcome => Object.hasOwn(EVENT_TONES, text)
const EVENTS = ['paid', 'refunded', 'failed', 'expired', 'disputed'] as const
const isEvent = (text: string): text is (typeof EVENTS)[number] => EVENTS.some((one) => one === text)

type CompleteProps = { readonly order: PaymentOrder; readonly guarded: Guarded }

/** Root credits an order with a reason. */
function Complete({ order, guarded }: CompleteProps): ReactNode {
  const { t } = useTranslation('payments')
  const user = useUser()
  const [isAsking, setAsking] = useState(false)
  if (user === undefined || !isRoot(user)) return null
  return (
    <>
      <Button variant="outline" onClick={() => setAsking(true)}>
        {t('admin.complete')}
      </Button>
      {isAsking ? <CompleteDialog order={order} guarded={guarded} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

function CompleteDialog({ order, guarded, onClose }: CompleteProps & { readonly onClose: () => void }): ReactNode {
  const { t, i18n } = useTranslation('payments')
  const complete = useCompletePayment(guarded)
  const [reason, setReason] = useState('')
  const run = async (): Promise<void> => {
    await complete.mutateAsync({ trade_no: order.trade_no, reason })
    toast.success(t('admin.completed'))
    onClose()
  }
  return (
    <FormDialog
      title={t('admin.complete-title', { name: order.username, money: moneyText(order.money, order.currency, i18n.language) })}
      submit={t('admin.complete')}
      isBusy={complete.isPending}
      isDisabled={reason.trim() === ''}
      isDangerous
      onSubmit={() => void run().catch(() => undefined)}
      onClose={onClose}
    >
      <Text>{t('admin.complete-help')}</Text>
      <TextField label={t('admin.reason')} value={reason} onValue={setReason} autoFocus required />
    </FormDialog>
  )
}

type Translate = (key: 'method.zfb' | 'method.wx' | 'method.stripe') => string

export function methodText(t: Translate, { provider, method }: Pick<PaymentOrder, 'provider' | 'method'>): string {
  if (provider === 'stripe') return t('method.stripe')
  return t(method === 'zfb' ? 'method.zfb' : 'method.wx')
}
