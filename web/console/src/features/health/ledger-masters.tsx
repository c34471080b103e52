import type { LedgerMaster, RedisFacts } from '@tollgate/contracts/resources/health'
import { bytesText } from '@tollgate/domain/display/bytes-text'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { durationText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FactTable } from '../../ui/display/fact-table.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { NoRows } from './parts.tsx'

const UNKNOWN = '—'

/** The masters of the cluster that holds the ledger, each with the shards that it has now. */
export function LedgerMasters({ masters }: { readonly masters: readonly LedgerMaster[] | null }): ReactNode {
  const { t } = useTranslation('health')
  const fact =
    (of: (redis: RedisFacts) => ReactNode) =>
    ({ redis }: LedgerMaster): ReactNode =>
      redis === null ? UNKNOWN : of(redis)
  return (
    <Panel title={t('masters.title')} help={t('masters.help')} isFlush>
      {masters === null ? (
        <NoRows text={t('unread')} />
      ) : (
        <FactTable
          label={t('masters.title')}
          rows={masters}
          idOf={({ address }) => address}
          columns={[
            { id: 'address', header: t('masters.address'), cell: ({ address }) => address },
            { id: 'state', header: t('services.state'), cell: (master) => <State master={master} /> },
            { id: 'shards', header: t('masters.shards'), cell: ({ shards }) => groupDigits(shards), align: 'end' },
            { id: 'version', header: t('version'), cell: fact(({ version }) => version) },
            { id: 'since', header: t('since'), cell: fact(({ started_at }) => <TimeText time={started_at} absent="" />) },
            { id: 'answer', header: t('answer'), cell: fact(({ answer_ms }) => durationText(answer_ms)), align: 'end' },
            { id: 'memory', header: t('memory'), cell: fact(memoryText), align: 'end' },
            {
              id: 'commands',
              header: t('redis.commands'),
              cell: fact(({ commands_per_second }) => groupDigits(commands_per_second)),
              align: 'end',
            },
          ]}
        />
      )}
    </Panel>
  )
}

function memoryText({ memory_bytes, max_memory_bytes }: RedisFacts): string {
  return max_memory_bytes === 0 ? bytesText(memory_bytes) : `${bytesText(memory_bytes)} / ${bytesText(max_memory_bytes)}`
}

function State({ master: { redis, closed_shards } }: { readonly master: LedgerMaster }): ReactNode {
  const { t } = useTranslation('health')
  if (redis === null) return <StatusTag tone="red">{t('masters.away')}</StatusTag>
  if (closed_shards > 0) return <StatusTag tone="red">{t('masters.closed', { count: closed_shards })}</StatusTag>
  return <StatusTag tone="green">{t('masters.open')}</StatusTag>
}
