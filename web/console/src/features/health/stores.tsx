import type { LogStoreFacts, PostgresFacts, RedisFacts } from '@tollgate/contracts/resources/health'
import { bytesText } from '@tollgate/domain/display/bytes-text'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { durationText, secondsText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { Panel } from '../../ui/page/panel.tsx'

type PostgresProps = {
  readonly postgres: PostgresFacts | null
  /** Absent where Postgres keeps the log. */
  readonly logStore: LogStoreFacts | null | undefined
}

export function PostgresPart({ postgres, logStore }: PostgresProps): ReactNode {
  const { t } = useTranslation('health')
  return (
    <Panel title="Postgres" help={t('postgres.help')}>
      {postgres === null ? (
        t('unread')
      ) : (
        <FactsList>
          <Fact name={t('version')}>{postgres.version}</Fact>
          <Fact name={t('since')}>
            <TimeText time={postgres.started_at} absent="" />
          </Fact>
          <Fact name={t('answer')}>{durationText(postgres.answer_ms)}</Fact>
          <Fact name={t('size')}>{bytesText(postgres.size_bytes)}</Fact>
          <Fact name={t('postgres.connections')}>{`${groupDigits(postgres.connections)} / ${groupDigits(postgres.max_connections)}`}</Fact>
          <Fact name={t('postgres.waiting')}>{groupDigits(postgres.waiting)}</Fact>
          <Fact name={t('postgres.oldest')}>{secondsText(postgres.oldest_transaction_s)}</Fact>
          {postgres.replica === undefined ? null : <Fact name={t('postgres.replica')}>{replicaText(t, postgres.replica)}</Fact>}
          {logStore === undefined || logStore === null ? null : <Fact name={t('postgres.log-rows')}>{logRowsText(t, logStore)}</Fact>}
        </FactsList>
      )}
    </Panel>
  )
}

function replicaText(t: TFunction<'health'>, { lag_ms, is_used }: NonNullable<PostgresFacts['replica']>): string {
  if (lag_ms === null) return t('postgres.replica-away')
  const lag = durationText(lag_ms)
  return is_used ? t('postgres.replica-used', { lag }) : t('postgres.replica-behind', { lag })
}

function logRowsText(t: TFunction<'health'>, { waiting_rows, waiting_s }: LogStoreFacts): string {
  if (waiting_rows === 0) return groupDigits(0)
  return t('postgres.log-rows-since', { rows: groupDigits(waiting_rows), time: secondsText(waiting_s) })
}

type RedisProps = { readonly redis: RedisFacts | null; /** The data on the server. */ readonly holds: 'all' | 'ledger' | 'rest' }

export function RedisPart({ redis, holds }: RedisProps): ReactNode {
  const { t } = useTranslation('health')
  return (
    <Panel title={holds === 'ledger' ? t('redis.ledger') : 'Redis'} help={t(`redis.help-${holds}`)}>
      {redis === null ? (
        t('unread')
      ) : (
        <FactsList>
          <Fact name={t('version')}>{redis.version}</Fact>
          <Fact name={t('since')}>
            <TimeText time={redis.started_at} absent="" />
          </Fact>
          <Fact name={t('answer')}>{durationText(redis.answer_ms)}</Fact>
          <Fact name={t('memory')}>
            {redis.max_memory_bytes === 0
              ? t('redis.memory-unlimited', { used: bytesText(redis.memory_bytes) })
              : `${bytesText(redis.memory_bytes)} / ${bytesText(redis.max_memory_bytes)}`}
          </Fact>
          <Fact name={t('redis.eviction')}>
            {t('redis.eviction-value', { policy: redis.eviction, evicted: groupDigits(redis.evicted_keys) })}
          </Fact>
          <Fact name={t('redis.durable')}>{t(redis.is_durable ? 'redis.is-durable' : 'redis.not-durable')}</Fact>
          <Fact name={t('redis.clients')}>{groupDigits(redis.clients)}</Fact>
          <Fact name={t('redis.commands')}>{groupDigits(redis.commands_per_second)}</Fact>
        </FactsList>
      )}
    </Panel>
  )
}
