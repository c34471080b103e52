import { chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogType } from '@tollgate/contracts/enums'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { timeText } from '@tollgate/domain/display/time-text'
import { Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyId } from '../../../ui/display/copy-button.tsx'
import { Fact, FactsList } from '../../../ui/display/facts-list.tsx'
import { TimeText } from '../../../ui/display/number-text.tsx'
import { QuotaText } from '../../../ui/display/quota-text.tsx'
import { StatusTag } from '../../../ui/display/tone-tag.tsx'
import { useVendorMessage } from '../../../ui/display/vendor-message.ts'
import { channelHealth } from '../api.ts'
import { BalanceCourse } from '../health/balance-course.tsx'
import { LastTests } from '../runs/last-tests.tsx'
import { HealthCell, answerText, TestCell, TodayCell } from '../health/health-cells.tsx'
import { balanceText, evidenceOf, keysOutOf, statusOf } from '../channel-display.ts'

/** The last hour, today's money, and the last error with the way to all of them. */
function HealthFacts({ channel }: { readonly channel: Channel }): ReactNode {
  const { t } = useTranslation('channels')
  const vendor = useVendorMessage()
  const health = useQuery(channelHealth([channel.id])).data?.get(channel.id)
  return (
    <>
      <Fact name={t('column.health')}>
        <HealthCell health={health} />
      </Fact>
      {health === undefined || health.tests.length === 0 ? null : (
        <Fact name={t('last-tests')}>
          <Suspense fallback={null}>
            <LastTests tests={health.tests} />
          </Suspense>
        </Fact>
      )}
      <Fact name={t('column.today')}>
        <TodayCell health={health} />
      </Fact>
      <Fact name={t('health.last-error')}>
        {health?.last_error === undefined ? null : (
          <chakra.span color="danger.fg" me="2">
            {`${timeText(health.last_error.time)} ${vendor.ofAnswer(answerText(health.last_error), health.last_error.status)}`}
          </chakra.span>
        )}
        <Link to="/log" search={{ channel: channel.id, type: LogType.error }}>
          <chakra.span color="accent.fg" textDecoration="underline">
            {t('action.errors')}
          </chakra.span>
        </Link>
      </Fact>
    </>
  )
}

/** Facts of the gateway about a channel; nothing here can be edited. */
export function ChannelFacts({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
  const vendor = useVendorMessage()
  const { tone, text } = statusOf(channel)
  const evidence = evidenceOf(channel)
  const never = t('display:time.never')
  return (
    <FactsList>
      <Fact name={t('column.id')}>
        <CopyId text={String(channel.id)} />
      </Fact>
      <Fact name={t('column.status')}>
        <StatusTag tone={tone}>{t(`display:channel.${text}`)}</StatusTag>
      </Fact>
      {evidence === undefined ? null : (
        <Fact name="">
          {evidence.reason === ''
            ? t('status-no-reason')
            : t('status-reason', { reason: vendor.ofAnswer(evidence.reason, evidence.status) })}
          {evidence.time > 0 ? (
            <>
              {' '}
              · <TimeText time={evidence.time} absent={never} />
            </>
          ) : null}
        </Fact>
      )}
      {keysOutOf(channel).map(({ key_id, reason, status, time }) => (
        <Fact key={key_id} name={t('key-out', { key_id })}>
          {t('status-reason', { reason: vendor.ofAnswer(reason, status) })} · <TimeText time={time} absent={never} />
        </Fact>
      ))}
      <HealthFacts channel={channel} />
      <Fact name={t('column.response')}>
        <TestCell channel={channel} />
      </Fact>
      {channel.test_error === '' ? null : (
        <Fact name="">
          <chakra.span color="danger.fg">{vendor.ofTest(channel.test_error)}</chakra.span>
        </Fact>
      )}
      <Fact name={t('column.tested')}>
        <TimeText time={channel.test_time} absent={never} />
      </Fact>
      <Fact name={t('column.used')}>
        <QuotaText quota={channel.used_quota} />
      </Fact>
      <Fact name={t('column.balance')}>
        {balanceText(channel.balance)} <BalanceCourse channel_id={channel.id} />
      </Fact>
      <Fact name={t('column.balance-updated')}>
        <TimeText time={channel.balance_updated_time} absent={never} />
      </Fact>
      <Fact name={t('column.created')}>
        <TimeText time={channel.created_time} absent={never} />
      </Fact>
    </FactsList>
  )
}
