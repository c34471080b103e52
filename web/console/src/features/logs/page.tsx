import { useQuery, usePrefetchQuery } from '@tanstack/react-query'
import type { Log } from '@tollgate/contracts/resources/logs'
import { atLeast, countText, groupDigits } from '@tollgate/domain/display/count-text'
import { ScrollText } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { isAdmin as isAdminUser, useUser } from '../../lib/session.ts'
import { useStored } from '../../lib/storage.ts'
import { TableSettings } from '../../ui/list/column-dialog.tsx'
import { DataTable } from '../../ui/list/data-table.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Pager, usePageSize } from '../../ui/list/pager.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { logPage, logStat } from './api.ts'
import { logColumns } from './columns.tsx'
import { ExplanationDrawer } from './explanation-drawer.tsx'
import { LogFilters } from './filters.tsx'
import { rangeOf, type LogSearch } from './search.ts'

type LogsPageProps = { readonly search: LogSearch; readonly onSearch: (search: LogSearch) => void }

/** `/log`: everyone's entries for an admin, the caller's own for a user. */
export function LogsPage({ search, onSearch }: LogsPageProps): ReactNode {
  const { t } = useTranslation(['logs', 'display'])
  const isAdmin = isAdminUser(useUser())
  const { range, filter, page, size } = useLogFilter(search)
  const list = useQuery(logPage({ ...filter, p: page, page_size: size }, isAdmin))
  const hasNext = list.data !== undefined && !list.isPlaceholderData && page * size < list.data.total
  usePrefetchQuery(logPage({ ...filter, p: hasNext ? page + 1 : page, page_size: size }, isAdmin))
  const columns = logColumns({ t, isAdmin })
  const close = (): void => onSearch(withoutOpen(search))
  return (
    <Page title={t('title')} count={list.data?.total_is_capped === true ? atLeast(list.data.total) : list.data?.total}>
      <Stats filter={filter} isAdmin={isAdmin} />
      <LogFilters
        search={search}
        range={range}
        isAdmin={isAdmin}
        onSearch={onSearch}
        settings={<TableSettings columns={columns} storageKey="log-columns" />}
      />
      <DataTable<Log>
        label={t('title')}
        columns={columns}
        choice={useStored('log-columns')}
        rows={list.data?.items}
        idOf={({ id }) => id}
        nameOf={({ id }) => `#${id}`}
        error={list.error === null ? undefined : (failureText(list.error) ?? '')}
        onRetry={() => void list.refetch()}
        isRefetching={list.isPlaceholderData}
        onOpen={(log) => onSearch({ ...search, open: log.id, at: log.created_at })}
        openId={search.open}
        empty={<EmptyState title={t('empty-title')} help={t('empty-help')} icon={<ScrollText />} />}
        footer={
          <Pager
            page={page}
            rows={list.data?.items.length ?? 0}
            total={list.data?.total}
            isTotalCapped={list.data?.total_is_capped}
            onPage={(next) => onSearch({ ...search, page: next })}
          />
        }
      />
      {search.open === undefined ? null : (
        <ExplanationDrawer key={search.open} id={search.open} createdAt={search.at ?? 0} isAdmin={isAdmin} onClose={close} />
      )}
    </Page>
  )
}

function Stats({ filter, isAdmin }: { filter: ReturnType<typeof useLogFilter>['filter']; isAdmin: boolean }): ReactNode {
  const { t } = useTranslation('logs')
  const { data } = useQuery(logStat(filter, isAdmin))
  const isPending = data === undefined
  return (
    <StatRow>
      <StatCard label={t('stat.quota')} help={t('stat.quota-help')} isPending={isPending}>
        <QuotaText quota={data?.quota ?? 0} />
      </StatCard>
      <StatCard label={t('stat.rpm')} help={t('stat.rpm-help')} isPending={isPending}>
        {groupDigits(data?.rpm ?? 0)}
      </StatCard>
      <StatCard label={t('stat.tpm')} help={t('stat.tpm-help')} isPending={isPending}>
        {countText(data?.tpm ?? 0)}
      </StatCard>
    </StatRow>
  )
}

const MINUTE_MS = 60_000
const SECOND_MS = 1_000

/** The filter as the server takes it. The time is read once per mount: a range that moves with every render is never cached. */
function useLogFilter(search: LogSearch) {
  const size = usePageSize()
  const [opened] = useState(() => new Date())
  const now = Math.floor(opened.getTime() / MINUTE_MS) * (MINUTE_MS / SECOND_MS)
  const midnight = Math.floor(new Date(opened.getFullYear(), opened.getMonth(), opened.getDate()).getTime() / SECOND_MS)
  const range = rangeOf(search, now, midnight)
  const filter = {
    type: search.type ?? 0,
    token_name: search.token_name ?? '',
    model_name: search.model_name ?? '',
    group: search.group ?? '',
    username: search.username ?? '',
    channel: search.channel ?? 0,
    ...range,
  }
  return { range, filter, page: search.page ?? 1, size }
}

const withoutOpen = ({ open: _open, at: _at, ...rest }: LogSearch): LogSearch => rest
