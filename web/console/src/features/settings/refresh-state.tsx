import { Alert, Button, chakra, Flex, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { PRICE_OPTIONS, type PriceRefresh, type WaitingPrice } from '@tollgate/contracts/resources/prices'
import { timeText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { latestRefresh, usePutBack, useStartRefresh } from './price-tools-api.ts'

/** Result of the daily comparison with the catalogue: prices that it took, and those that wait for a person; `isOn`: the stored option. */
export function RefreshState({ isOn }: { readonly isOn: boolean }): ReactNode {
  const { t } = useTranslation('price-tools')
  const { data: refresh } = useQuery(latestRefresh)
  const start = useStartRefresh()
  if (!isOn)
    return (
      <Text textStyle="sm" color="text.muted">
        {t('refresh.off')}
      </Text>
    )
  return (
    <Alert.Root status={refresh?.message ? 'error' : refresh?.waiting.length ? 'warning' : 'info'}>
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>
          <Flex gap="2" wrap="wrap" align="center" justify="space-between">
            {refresh === undefined || refresh === null ? t('refresh.never') : t('refresh.checked', { time: timeText(refresh.checked_at) })}
            <Button
              type="button"
              size="xs"
              variant="outline"
              loading={start.isPending}
              onClick={() => start.mutate(undefined, { onSuccess: () => toast.success(t('refresh.started')) })}
            >
              {t('refresh.run')}
            </Button>
          </Flex>
        </Alert.Title>
        <Alert.Description>{refresh === undefined || refresh === null ? null : <Result refresh={refresh} />}</Alert.Description>
      </Alert.Content>
    </Alert.Root>
  )
}

const FAULTS = ['format', 'too-large', 'blocked', 'dns', 'connect', 'timeout', 'reset', 'aborted', 'malformed', 'invalid'] as const

function failureText(t: TFunction<['price-tools', 'options']>, { source, message }: PriceRefresh): string {
  const option = PRICE_OPTIONS.find((one) => one === message)
  if (option !== undefined) return t('refresh.refused', { option: t(`options:${option}.label`) })
  const fault = FAULTS.find((one) => one === message)
  return t('refresh.failed', { source, message: fault === undefined ? message : t(`refresh.fault.${fault}`) })
}

const NAMED = 12

function Result({ refresh }: { readonly refresh: PriceRefresh }): ReactNode {
  const { t } = useTranslation(['price-tools', 'options'])
  const putBack = usePutBack()
  const confirm = useConfirm()
  const { checked_at, applied, waiting, message } = refresh
  if (message !== '') return <Text textStyle="sm">{failureText(t, refresh)}</Text>
  return (
    <Stack gap="1" textStyle="sm">
      {applied.length === 0 ? (
        <Text>{t('refresh.none')}</Text>
      ) : (
        <Flex gap="2" wrap="wrap" align="center">
          <Text>{t('refresh.applied', { count: applied.length, names: applied.slice(0, NAMED).join(t('catalogue.and')) })}</Text>
          <Button
            type="button"
            size="xs"
            variant="ghost"
            onClick={() =>
              confirm.ask({
                title: t('history.put-back-title'),
                help: t('history.put-back-help'),
                confirm: t('history.put-back'),
                run: async () => {
                  await putBack.mutateAsync({ at: checked_at, cause: 'catalogue', by_name: '' })
                  toast.success(t('history.put-back-done'))
                },
              })
            }
          >
            {t('history.put-back')}
          </Button>
        </Flex>
      )}
      {waiting.length === 0 ? null : <Text>{t('refresh.waiting', { count: waiting.length })}</Text>}
      {waiting.slice(0, NAMED).map((price) => (
        <Text key={price.model} textStyle="xs" overflowWrap="anywhere">
          <chakra.span fontFamily="mono">{price.model}</chakra.span> {dollars(price.before)} → {dollars(price.after)}{' '}
          <chakra.span color="text.muted">({t(`refresh.reason.${price.reason}`)})</chakra.span>
          {price.others === undefined || price.others.length === 0 ? null : (
            <chakra.span color="text.muted">
              {' '}
              {t('catalogue.others', { names: price.others.map((key) => t(`options:${key}.label`)).join(t('catalogue.and')) })}
            </chakra.span>
          )}
        </Text>
      ))}
      {confirm.dialog}
    </Stack>
  )
}

const dollars = ({ input, output, per_call }: WaitingPrice['before']): string =>
  per_call === undefined ? `$${input ?? 0} / $${output ?? 0}` : `$${per_call}`
