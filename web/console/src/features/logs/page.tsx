import { chakra } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { logs, type Log, type RefusalStat } from '@tollgate/contracts/resources/logs'
import { countText, groupDigits } from '@tollgate/domain/display/count-text'
import { ScrollText } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../lib/query-client.ts'
import { isAdmin as isAdminUser, useUser } from '../../lib/session.ts'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { useVendorMessage } from '../../ui/display/vendor-message.ts'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import { usePagedList } from '../../ui/list/use-list.ts'
import { logPage, logStat, refusalStat } from './api.ts'
import { ArchivedRequest } from './archived-request.tsx'
import { neighboursOf } from './neighbours.ts'
import { Histogram } from './histogram.tsx'
import { LogActions } from './log-actions.tsx'
import { logColumns } from './columns.tsx'
import { useLogFilters } from './filters.tsx'
import { rangeOf, type LogSearch } from './search.ts'

const ExplanationDrawer = lazy(async () => ({ default: (await import('./explanation-drawer.tsx')).ExplanationDrawer }))

type LogsPageProps = { readonly search: LogSearch; readonly onSearch: (search: LogSearch) => void }

/** `/log`: everyone's entries for an admin, the caller's own for a user. */
export function LogsPage({ search, onSearch }: LogsPageProps): ReactNode {
  const { t, i18n } = useTranslation(['logs', 'display', 'refusals'])
  const vendor = useVendorMessage()
  const isAdmin = isAdminUser(useUser())
  const client = useQueryClient()
  const { range, filter } = useLogFilter(search)
  const list = usePagedList(search.page ?? 1, (p, page_size) => logPage({ ...filter, p, page_size }, isAdmin))
  const archived = list.isRefetching ? undefined : list.data?.archived_month
  const open = ({ id, created_at }: Log): void => onSearch({ ...search, open: id, at: created_at })
  return (
    <ResourceList
      name="log"
      title={t('title')}
      list={{ ...list, refreshAll: () => void refresh(client, logs.list) }}
      columns={logColumns({ t, isAdmin, language: i18n.language, asVendors: vendor.mark })}
      filters={useLogFilters({ search, range, isAdmin, onSearch })}
      search={search}
      onSearch={onSearch}
      idOf={({ id }) => id}
      nameOf={({ id }) => `#${id}`}
      empty={{ title: t('empty-title'), help: t('empty-help'), icon: <ScrollText /> }}
      onOpen={open}
      openId={search.open}
      canFollow
      notice={
        archived === undefined ? undefined : (
          <ArchivedRequest key={filter.request_id} {...{ month: archived, requestId: filter.request_id, isAdmin, onSearch }} />
        )
      }
      actions={() => <LogActions filter={filter} isAdmin={isAdmin} />}
      lead={
        <>
          <Stats filter={filter} isAdmin={isAdmin} />
          <Histogram filter={filter} isAdmin={isAdmin} search={search} onSearch={onSearch} />
        </>
      }
    >
      <Suspense fallback={null}>
        {search.open === undefined ? null : (
          <ExplanationDrawer
            id={search.open}
            createdAt={search.at ?? 0}
            isAdmin={isAdmin}
            neighbours={neighboursOf(list.rows ?? [], search.open)}
            onOpen={open}
            onSearch={onSearch}
            onClose={() => onSearch(withoutOpen(search))}
          />
        )}
      </Suspense>
    </ResourceList>
  )
}

function Stats({ filter, isAdmin }: { filter: ReturnType<typeof useLogFilter>['filter']; isAdmin: boolean }): ReactNode {
  const { t } = useTranslation('logs')
  const { data, isPending } = useQuery(logStat(filter, isAdmin))
  const refused = useQuery(refusalStat(filter, isAdmin))
  const sum = (of: (sums: NonNullable<typeof data>) => ReactNode): ReactNode => (data === undefined ? '—' : of(data))
  return (
    <StatRow>
      <StatCard isWide label={t('stat.quota')} help={t('stat.quota-help')} isPending={isPending}>
        {sum(({ quota }) => (
          <QuotaText quota={quota} />
        ))}
      </StatCard>
      <StatCard isWide label={t('stat.rpm')} help={t('stat.rpm-help')} isPending={isPending}>
        {sum(({ rpm }) => groupDigits(rpm))}
      </StatCard>
      <StatCard isWide label={t('stat.tpm')} help={t('stat.tpm-help')} isPending={isPending}>
        {sum(({ tpm }) => countText(tpm))}
      </StatCard>
      <RefusedCard refused={refused.data} isPending={refused.isPending} />
    </StatRow>
  )
}

type RefusedProps = { readonly refused: RefusalStat | undefined; readonly isPending: boolean }

/** Refused requests of the range, by reason on hover; most of a flood have no entry. */
function RefusedCard({ refused, isPending }: RefusedProps): ReactNode {
  const { t } = useTranslation(['logs', 'refusals'])
  const { unit, seen = 0, listed = 0, reasons = [] } = refused ?? {}
  const lines = reasons.map(({ reason, ...row }) =>
    t('stat.refused-reason', { reason, seen: groupDigits(row.seen), listed: groupDigits(row.listed) }),
  )
  return (
    <StatCard
      isWide
      label={t('stat.refused')}
      help={[t('stat.refused-help'), ...(unit === 'hour' ? [t('stat.refused-by-hour')] : []), ...lines].join('\n')}
      isPending={isPending}
    >
      {refused === undefined ? '—' : groupDigits(seen)}
      {seen > listed ? (
        <chakra.span ms="2" textStyle="xs" color="text.muted" fontWeight="normal">
          {t('stat.refused-unlisted', { number: groupDigits(seen - listed) })}
        </chakra.span>
      ) : null}
    </StatCard>
  )
}

const MINUTE_MS = 60_000
const SECOND_MS = 1_000

/** The filter as the server takes it. The time is read once per mount: a range that moves with every render is never cached. */
function useLogFilter(search: LogSearch) {
  const [opened] = useState(() => new Date())
  const now = Math.floor(opened.getTime() / MINUTE_MS) * (MINUTE_MS / SECOND_MS)
  const midnight = Math.floor(new Date(opened.getFullYear(), opened.getMonth(), opened.getDate()).getTime() / SECOND_MS)
  const range = rangeOf(search, now, midnight)
  const { type = 0, token_name = '', model_name = '', group = '', username = '', channel = 0 } = search
  const { request_id = '', outcome = '', error_code = '', min_seconds = 0, session = '' } = search
  const ofRows = { request_id, outcome, error_code, min_seconds, session } as const
  // An id is found whenever its request was.
  const found = request_id === '' ? range : { start_timestamp: 0, end_timestamp: 0 }
  return { range, filter: { type, token_name, model_name, group, username, channel, names: 'part' as const, ...ofRows, ...found } }
}

const withoutOpen = ({ open: _open, at: _at, ...rest }: LogSearch): LogSearch => rest
