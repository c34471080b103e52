import { Alert, Button, chakra, Flex, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { PriceChange, PriceTexts } from '@tollgate/contracts/resources/prices'
import type { Tone } from '@tollgate/domain/display/tone'
import { timeText } from '@tollgate/domain/display/time-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { useLeaveGuard } from '../../ui/form/leave-guard.tsx'
import { TimeBox } from '../../ui/form/time-box.tsx'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { priceChanges, useCancelChange, useSchedule } from './price-tools-api.ts'

type ScheduleProps = {
  readonly prices: PriceTexts
  readonly isDraft: boolean
  readonly onScheduled: () => void
  readonly onClose: () => void
}

/** The unsaved prices of the editor at a time to come, and what is scheduled already. */
export function ScheduleDrawer({ prices, isDraft, onScheduled, onClose }: ScheduleProps): ReactNode {
  const { t } = useTranslation('price-tools')
  const [at, setAt] = useState<number | undefined>(undefined)
  const schedule = useSchedule()
  const { data: changes = [] } = useQuery(priceChanges)
  const isGuarded = (): boolean => isDraft && at !== undefined && !schedule.isSuccess
  // The editor guards the way out of the page: its prices are unsaved too.
  const { close, leaving } = useLeaveGuard({ isGuarded, release: () => undefined, isSamePage: () => true }, onClose)
  const submit = (): void => {
    if (at === undefined) {
      toast.error(t('schedule.missing'))
      return
    }
    schedule.mutate(
      { prices, at },
      {
        onSuccess: () => {
          toast.success(t('schedule.done'))
          onScheduled()
        },
      },
    )
  }
  return (
    <DetailDrawer title={t('schedule.title')} size="lg" onClose={close}>
      {leaving}
      <Stack gap="4">
        <Text textStyle="sm" color="text.muted">
          {t('schedule.help')}
        </Text>
        {isDraft ? (
          <Flex gap="2" wrap="wrap" align="center">
            <TimeBox label={t('schedule.at')} value={at} onValue={setAt} />
            <Button type="button" loading={schedule.isPending} onClick={submit}>
              {t('schedule.submit')}
            </Button>
          </Flex>
        ) : (
          <Alert.Root status="info">
            <Alert.Indicator />
            <Alert.Content>
              <Alert.Description>{t('schedule.none')}</Alert.Description>
            </Alert.Content>
          </Alert.Root>
        )}
        {changes.length === 0 ? null : (
          <Panel title={t('schedule.list')} isFlush>
            {changes.map((change) => (
              <Scheduled key={change.id} change={change} />
            ))}
          </Panel>
        )}
      </Stack>
    </DetailDrawer>
  )
}

const TONES = { waiting: 'blue', applied: 'green', failed: 'red', cancelled: 'grey' } as const satisfies Record<PriceChange['state'], Tone>
const SHOWN = 8

function Scheduled({ change }: { readonly change: PriceChange }): ReactNode {
  const { t } = useTranslation('price-tools')
  const cancel = useCancelChange()
  const confirm = useConfirm()
  const { id, at, state, created_by, created_at, patch, price_version, message } = change
  const entries = Object.entries(patch).flatMap(([key, values]) => Object.entries(values).map(([name, value]) => ({ key, name, value })))
  const time = timeText(at)
  const run = async (): Promise<void> => {
    await cancel.mutateAsync(id)
    toast.success(t('schedule.cancelled'))
  }
  return (
    <PanelRow
      title={
        <Flex gap="2" align="center" wrap="wrap">
          {time}
          <StatusTag tone={TONES[state]}>{t(`schedule.state.${state}`)}</StatusTag>
        </Flex>
      }
      action={
        state === 'waiting' ? (
          <Button
            type="button"
            size="xs"
            variant="outline"
            aria-label={`${t('schedule.cancel')} ${time}`}
            onClick={() =>
              confirm.ask({
                title: t('schedule.cancel-title'),
                help: t('schedule.cancel-help', { time }),
                confirm: t('schedule.cancel-confirm'),
                run,
              })
            }
          >
            {t('schedule.cancel')}
          </Button>
        ) : null
      }
    >
      <Text>
        {t('schedule.by', { user: created_by, time: timeText(created_at) })}
        {price_version === 0 ? '' : ` · ${t('schedule.version', { version: price_version })}`}
        {message === '' ? '' : ` · ${t('schedule.failed-reason', { key: message })}`}
      </Text>
      <Text>{t('schedule.diff', { count: entries.length })}</Text>
      {entries.slice(0, SHOWN).map(({ key, name, value }) => (
        <chakra.code key={`${key} ${name}`} display="block" fontFamily="mono" textStyle="xs">
          {key} · {name}: {value === null ? t('schedule.removed') : JSON.stringify(value)}
        </chakra.code>
      ))}
      {entries.length > SHOWN ? <Text>…</Text> : null}
      {confirm.dialog}
    </PanelRow>
  )
}
