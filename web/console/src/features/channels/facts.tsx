import type { Channel } from '@tollgate/contracts/resources/channels'
import { durationText } from '@tollgate/domain/display/time-text'
import { toneOfResponseTime } from '@tollgate/domain/display/thresholds'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatusTag, ToneTag } from '../../ui/display/tone-tag.tsx'
import { balanceText, evidenceOf, keysOutOf, statusOf } from './view.ts'

/** What the gateway knows about a channel; nothing here can be edited. */
export function ChannelFacts({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
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
          {evidence.reason === '' ? t('status-no-reason') : t('status-reason', { reason: evidence.reason })}
          {evidence.time > 0 ? (
            <>
              {' '}
              · <TimeText time={evidence.time} absent={never} />
            </>
          ) : null}
        </Fact>
      )}
      {keysOutOf(channel).map(({ key_id, reason, time }) => (
        <Fact key={key_id} name={t('key-out', { key_id })}>
          {t('status-reason', { reason })} · <TimeText time={time} absent={never} />
        </Fact>
      ))}
      <Fact name={t('column.response')}>
        <ToneTag tone={toneOfResponseTime(channel.response_time)}>
          {channel.response_time <= 0 ? t('not-tested') : durationText(channel.response_time)}
        </ToneTag>
      </Fact>
      <Fact name={t('column.tested')}>
        <TimeText time={channel.test_time} absent={never} />
      </Fact>
      <Fact name={t('column.used')}>
        <QuotaText quota={channel.used_quota} />
      </Fact>
      <Fact name={t('column.balance')}>{balanceText(channel.balance)}</Fact>
      <Fact name={t('column.balance-updated')}>
        <TimeText time={channel.balance_updated_time} absent={never} />
      </Fact>
      <Fact name={t('column.created')}>
        <TimeText time={channel.created_time} absent={never} />
      </Fact>
    </FactsList>
  )
}
