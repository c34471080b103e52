import { Button, Link as TextLink, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { BreakerFacts, LedgerFacts, PartitionFacts, SeenService } from '@tollgate/contracts/resources/health'
import { bytesText } from '@tollgate/domain/display/bytes-text'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { durationText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saying } from '../../lib/saying.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { StatusTag, ToneTag } from '../../ui/display/tone-tag.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { useVerifyLedger } from './api.ts'
import { LedgerReportDrawer } from './ledger-report.tsx'
import { FactTable } from '../../ui/display/fact-table.tsx'

/** A part that could not be read, or that has nothing to list. */
export function NoRows({ text }: { readonly text: string }): ReactNode {
  return (
    <Text px="4" py="3" color="text.muted">
      {text}
    </Text>
  )
}

export function Services({ services }: { readonly services: readonly SeenService[] | null }): ReactNode {
  const { t } = useTranslation('health')
  return (
    <Panel title={t('services.title')} help={t('services.help')} isFlush>
      {services === null ? (
        <NoRows text={t('unread')} />
      ) : (
        <FactTable
          label={t('services.title')}
          rows={services}
          idOf={({ id }) => id}
          columns={[
            { id: 'service', header: t('services.name'), cell: ({ service }) => t(`services.${service}`) },
            {
              id: 'state',
              header: t('services.state'),
              cell: ({ is_running }) =>
                is_running ? (
                  <StatusTag tone="green">{t('services.running')}</StatusTag>
                ) : (
                  <StatusTag tone="red" hint={t('services.gone-help')}>
                    {t('services.gone')}
                  </StatusTag>
                ),
            },
            { id: 'version', header: t('version'), cell: ({ version }) => version },
            { id: 'host', header: t('services.host'), cell: ({ host, pid }) => `${host} · ${pid}` },
            { id: 'since', header: t('since'), cell: ({ started_at }) => <TimeText time={started_at} absent="" /> },
            { id: 'seen', header: t('services.seen'), cell: ({ seen_at }) => <TimeText time={seen_at} absent="" /> },
            { id: 'memory', header: t('memory'), cell: ({ memory_bytes }) => bytesText(memory_bytes), align: 'end' },
            { id: 'disk', header: t('services.disk'), cell: (service) => <Disk service={service} />, align: 'end' },
          ]}
        />
      )}
    </Panel>
  )
}

function Disk({ service: { disk_free_bytes, disk_total_bytes } }: { readonly service: SeenService }): ReactNode {
  const { t } = useTranslation('health')
  if (disk_total_bytes === 0) return '—'
  return t('services.free', { free: bytesText(disk_free_bytes), total: bytesText(disk_total_bytes) })
}

type LedgerProps = {
  readonly ledger: LedgerFacts | null
  /** It is on a cluster, which may be open in part. */ readonly hasMasters: boolean
}

export function Ledger({ ledger, hasMasters }: LedgerProps): ReactNode {
  const { t } = useTranslation('health')
  return (
    <Panel title={t('ledger.title')} help={t('ledger.help')} action={isRoot(useUser()) ? <VerifyLedger /> : null}>
      {ledger === null ? (
        t('unread')
      ) : (
        <FactsList>
          <Fact name={t('ledger.fence')}>
            <StatusTag tone={ledger.is_open ? 'green' : 'red'}>{stateText(t, ledger, hasMasters)}</StatusTag>
          </Fact>
          <Fact name={t('ledger.lag')}>
            {t('ledger.lag-value', { events: groupDigits(ledger.lag_events), age: durationText(ledger.lag_seconds * 1000) })}
          </Fact>
          <Fact name={t('ledger.holds')}>{groupDigits(ledger.open_holds)}</Fact>
          <Fact name={t('ledger.suspect')}>{groupDigits(ledger.suspect_shards)}</Fact>
          <Fact name={t('ledger.unsynced')}>{groupDigits(ledger.unsynced)}</Fact>
          <Fact name={t('ledger.check')}>
            {ledger.last_check === null ? (
              t('ledger.never')
            ) : (
              <>
                <ToneTag tone={ledger.last_check.is_sound ? 'green' : 'red'}>
                  {ledger.last_check.is_sound ? t('ledger.sound') : t('ledger.differences', { count: ledger.last_check.differences })}
                </ToneTag>{' '}
                <TimeText time={ledger.last_check.started_at} absent="" /> <LastReport />
              </>
            )}
          </Fact>
        </FactsList>
      )}
    </Panel>
  )
}

function stateText(t: TFunction<'health'>, { is_open, closed_shards }: LedgerFacts, hasMasters: boolean): string {
  if (is_open) return t('ledger.open')
  return hasMasters ? t('masters.closed', { count: closed_shards }) : t('ledger.closed')
}

/** Root may read what was compared; ids of users and requests are in it. */
function LastReport(): ReactNode {
  const { t } = useTranslation('health')
  const [isOpen, setIsOpen] = useState(false)
  if (!isRoot(useUser())) return null
  return (
    <>
      <Button size="xs" variant="outline" onClick={() => setIsOpen(true)}>
        {t('ledger.show')}
      </Button>
      {isOpen ? <LedgerReportDrawer onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

function VerifyLedger(): ReactNode {
  const { t } = useTranslation('health')
  const verify = useVerifyLedger()
  return (
    <Button
      size="sm"
      variant="outline"
      loading={verify.isPending}
      onClick={() => void saying(verify.mutateAsync(), () => t('ledger.asked'))}
    >
      {t('ledger.verify')}
    </Button>
  )
}

export function Breakers({ breakers }: { readonly breakers: readonly BreakerFacts[] | null }): ReactNode {
  const { t } = useTranslation('health')
  return (
    <Panel title={t('breakers.title')} help={t('breakers.help')} isFlush>
      {breakers === null || breakers.length === 0 ? (
        <NoRows text={t(breakers === null ? 'unread' : 'breakers.none')} />
      ) : (
        <FactTable
          label={t('breakers.title')}
          rows={breakers}
          idOf={({ channel_id, model, remaining_ms }) => `${channel_id}|${model}|${remaining_ms}`}
          columns={[
            {
              id: 'channel',
              header: t('breakers.channel'),
              cell: ({ channel_id, channel_name }) => (
                <TextLink asChild>
                  <Link to="/channel/edit/$id" params={{ id: String(channel_id) }}>{`#${channel_id} ${channel_name}`}</Link>
                </TextLink>
              ),
            },
            { id: 'model', header: t('breakers.model'), cell: ({ model }) => (model === '*' ? t('breakers.all-models') : model) },
            {
              id: 'state',
              header: t('breakers.state'),
              cell: ({ state, cause }) => (
                <ToneTag tone={state === 'open' ? 'red' : 'yellow'}>
                  {t(`breakers.${state}`)}
                  {cause === undefined ? '' : ` · ${t(`breakers.cause.${cause}`)}`}
                </ToneTag>
              ),
            },
            { id: 'remaining', header: t('breakers.remaining'), cell: ({ remaining_ms }) => durationText(remaining_ms), align: 'end' },
          ]}
        />
      )}
    </Panel>
  )
}

export function Partitions({ partitions }: { readonly partitions: readonly PartitionFacts[] | null }): ReactNode {
  const { t } = useTranslation('health')
  return (
    <Panel title={t('partitions.title')} help={t('partitions.help')} isFlush>
      {partitions === null ? (
        <NoRows text={t('unread')} />
      ) : (
        <FactTable
          label={t('partitions.title')}
          rows={partitions}
          idOf={({ table }) => table}
          columns={[
            { id: 'table', header: t('partitions.table'), cell: ({ table }) => table },
            { id: 'count', header: t('partitions.count'), cell: ({ partitions: count }) => groupDigits(count), align: 'end' },
            { id: 'range', header: t('partitions.range'), cell: ({ first, last }) => `${first} – ${last}` },
            { id: 'rows', header: t('partitions.rows'), cell: ({ rows }) => groupDigits(rows), align: 'end' },
            { id: 'size', header: t('size'), cell: ({ size_bytes }) => bytesText(size_bytes), align: 'end' },
            {
              id: 'strays',
              header: t('partitions.strays'),
              cell: ({ has_strays }) => (
                <ToneTag tone={has_strays ? 'yellow' : 'green'}>{t(has_strays ? 'partitions.has-strays' : 'partitions.no-strays')}</ToneTag>
              ),
            },
          ]}
        />
      )}
    </Panel>
  )
}
