import { Button, chakra, Flex, Input, Skeleton, Stack, Text, Field } from '@chakra-ui/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { PaymentInfo, PaymentMethod } from '@tollgate/contracts/resources/payments'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText } from '../../../lib/report.ts'
import { isRoot, useUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { Fact, FactsList } from '../../../ui/display/facts-list.tsx'
import { QuotaText, useQuotaStyle } from '../../../ui/display/quota-text.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { ErrorState } from '../../../ui/page/states.tsx'
import { amountToPay, paymentInfo, startPayment } from './api.ts'
import { openCheckout } from './checkout.ts'
import { moneyText } from '../../../ui/payment/money-text.ts'

/** Buying quota: an amount, a method, what it costs, and the way to the payment page. */
export function OnlineTopUp(): ReactNode {
  const { t } = useTranslation('payments')
  const info = useQuery(paymentInfo)
  return (
    <Panel title={t('online.title')} help={t('online.help')}>
      {info.data === undefined ? (
        info.error === null ? (
          <Skeleton height="40" aria-busy />
        ) : (
          <ErrorState message={failureText(info.error) ?? ''} onRetry={() => void info.refetch()} />
        )
      ) : info.data.methods[0] === undefined ? (
        <SwitchedOff />
      ) : (
        <TopUpForm info={info.data} first={info.data.methods[0]} />
      )}
    </Panel>
  )
}

/** Root finds the settings that turn it on. */
function SwitchedOff(): ReactNode {
  const { t } = useTranslation('payments')
  return (
    <Flex gap="3" align="center" wrap="wrap">
      <Text color="text.muted">{t('online.off')}</Text>
      {isRoot(useUser()) ? (
        <Button asChild size="sm" variant="outline">
          <Link to="/setting" search={{ keyword: 'Epay' }}>
            {t('online.to-settings')}
          </Link>
        </Button>
      ) : null}
    </Flex>
  )
}

function TopUpForm({ info, first }: { readonly info: PaymentInfo; readonly first: PaymentMethod }): ReactNode {
  const { t } = useTranslation('payments')
  const [typed, setTyped] = useState(String(info.amounts[0] ?? first.min_amount))
  const [chosen, setChosen] = useState(first.method)
  const method = info.methods.find((one) => one.method === chosen) ?? first
  const { display_in_currency } = useQuotaStyle()
  const amount = Number(typed)
  const isEnough = Number.isSafeInteger(amount) && amount >= method.min_amount
  const pay = useMutation({
    mutationFn: () => startPayment(amount, method.method),
    onSuccess: openCheckout,
    onError: (error) => toast.error(saidBy(error) ?? t('online.failed')),
    meta: { quiet: true },
  })
  const problem =
    typed === '' || isEnough
      ? undefined
      : t(Number.isSafeInteger(amount) ? 'online.too-small' : 'online.not-whole', { least: method.min_amount })
  return (
    <chakra.form
      onSubmit={(event) => {
        event.preventDefault()
        if (isEnough && !pay.isPending) pay.mutate()
      }}
    >
      <Stack gap="4" maxW="2xl">
        <Field.Root invalid={problem !== undefined}>
          <Field.Label>{t('online.amount')}</Field.Label>
          <Flex position="relative" w="full" maxW="15rem" align="center">
            <Input inputMode="numeric" autoComplete="off" value={typed} onChange={(event) => setTyped(event.currentTarget.value.trim())} />
            <Text position="absolute" insetEnd="2.5" textStyle="xs" color="text.muted" aria-hidden>
              {t(display_in_currency ? 'online.amount-unit-dollars' : 'online.amount-unit-quota')}
            </Text>
          </Flex>
          <Amounts info={info} least={method.min_amount} typed={typed} onType={setTyped} />
          {problem === undefined ? (
            <Field.HelperText>{t('online.least', { least: method.min_amount })}</Field.HelperText>
          ) : (
            <Field.ErrorText>{problem}</Field.ErrorText>
          )}
        </Field.Root>
        <chakra.fieldset minW="0">
          <chakra.legend textStyle="label" mb="1.5">
            {t('online.method')}
          </chakra.legend>
          <Flex gap="2" wrap="wrap">
            {info.methods.map((one) => (
              <Button
                key={one.method}
                type="button"
                variant={one.method === method.method ? 'subtle' : 'outline'}
                aria-pressed={one.method === method.method}
                onClick={() => setChosen(one.method)}
              >
                {t(labelOf(one.method))}
              </Button>
            ))}
          </Flex>
        </chakra.fieldset>
        <ToPay info={info} method={method} amount={isEnough ? amount : undefined} />
        <Button type="submit" alignSelf="start" disabled={!isEnough} loading={pay.isPending}>
          {t('online.pay')}
        </Button>
      </Stack>
    </chakra.form>
  )
}

/** The server's own text; undefined when it gave none. */
function saidBy(error: unknown): string | undefined {
  const { failure } = error instanceof ApiError ? error : { failure: undefined }
  return failure?.kind === 'refused' || (failure?.kind === 'http' && failure.status === 429) ? failureText(error) : undefined
}

type AmountsProps = { readonly info: PaymentInfo; readonly least: number; readonly typed: string; readonly onType: (text: string) => void }

/** The amounts that the operator offers, with what is taken off. */
function Amounts({ info, least, typed, onType }: AmountsProps): ReactNode {
  const { t } = useTranslation('payments')
  return (
    <Flex gap="1.5" wrap="wrap">
      {info.amounts
        .filter((amount) => amount >= least)
        .map((amount) => {
          const discount = info.discounts[String(amount)] ?? 1
          return (
            <Button
              key={amount}
              type="button"
              size="xs"
              variant={typed === String(amount) ? 'subtle' : 'outline'}
              aria-pressed={typed === String(amount)}
              onClick={() => onType(String(amount))}
            >
              {amount}
              {discount < 1 ? (
                <Text as="span" textStyle="2xs" color="success.fg">
                  {t('online.discount', { percent: Math.round((1 - discount) * 1000) / 10 })}
                </Text>
              ) : null}
            </Button>
          )
        })}
    </Flex>
  )
}

function ToPay({ info, method, amount }: { info: PaymentInfo; method: PaymentMethod; amount: number | undefined }): ReactNode {
  const { t, i18n } = useTranslation('payments')
  const { display_in_currency, quota_per_unit } = useQuotaStyle()
  const price = useQuery({ ...amountToPay(amount ?? 0, method.method), enabled: amount !== undefined })
  // A refusal may come without `success`: then its text is where the sum would be.
  const refused = price.data !== undefined && (price.data.message === 'error' || !Number.isFinite(Number(price.data.data)))
  const problem =
    price.error !== null ? (saidBy(price.error) ?? t('online.failed')) : refused ? price.data?.data || t('online.failed') : undefined
  return (
    <FactsList>
      <Fact name={t('online.to-pay')}>
        {amount === undefined ? (
          '—'
        ) : problem !== undefined ? (
          <Text color="danger.fg">{problem}</Text>
        ) : (
          <Text as="span" fontWeight="semibold" aria-live="polite">
            {price.data === undefined ? '…' : moneyText(price.data.data, method.currency, i18n.language)}
          </Text>
        )}
      </Fact>
      <Fact name={t('online.you-get')}>
        {amount === undefined ? '—' : <QuotaText quota={display_in_currency ? Math.round(amount * quota_per_unit) : amount} />}
      </Fact>
      {info.group_ratio === 1 ? null : <Fact name="">{t('online.group-ratio', { ratio: info.group_ratio })}</Fact>}
    </FactsList>
  )
}

/** Any other method is one of epay's. */
export function labelOf(method: string): 'method.zfb' | 'method.wx' | 'method.stripe' {
  return method === 'stripe' ? 'method.stripe' : method === 'zfb' ? 'method.zfb' : 'method.wx'
}
