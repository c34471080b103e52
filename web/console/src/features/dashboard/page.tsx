import { chakra, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { isAdmin as isAdminUser, isRoot as isRootUser, useUser } from '../../lib/session.ts'
import { useStored } from '../../lib/storage.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { Page } from '../../ui/page/page.tsx'
import { usageSeries } from './api.ts'
import { Charts } from './charts.tsx'
import { DashboardFilters } from './filters.tsx'
import type { LogLink } from './frame.ts'
import { parseDashboardSearch, periodOf, shownRange, unitOf, type DashboardSearch } from './search.ts'
import { Stats } from './stats.tsx'
import { TopList } from './top-list.tsx'

type DashboardPageProps = {
  readonly search: DashboardSearch
  readonly onSearch: (search: DashboardSearch) => void
  readonly onLog: (link: LogLink) => void
}

/** `/detail`: what was spent, asked and refused over time; of everyone for an admin. */
export function DashboardPage({ search, onSearch, onLog }: DashboardPageProps): ReactNode {
  const { t } = useTranslation('dashboard')
  const user = useUser()
  const isAdmin = isAdminUser(user)
  const { frame, now, before } = useSeries(search, isAdmin)
  const { data } = now
  const { by = 'model', rank = 'quota' } = search
  const shared = { data, before: before.data, frame, by, rank, search, onLog }
  const error = now.error === null ? undefined : (failureText(now.error) ?? '')
  return (
    <Page
      title={t('title')}
      action={
        <IconButton
          variant="outline"
          label={t('refresh')}
          loading={now.isFetching && data !== undefined}
          onClick={() => void now.refetch()}
        >
          <RefreshCw />
        </IconButton>
      }
    >
      <DashboardFilters
        search={search}
        unit={frame.unit}
        isAdmin={isAdmin}
        frame={frame}
        onChange={(change) => onSearch(parseDashboardSearch({ ...search, ...change }))}
      />
      <Notes isUtc={data?.is_utc === true} isCoarser={data !== undefined && !now.isPlaceholderData && data.unit !== frame.unit} />
      <Stats
        isPending={data === undefined && error === undefined}
        now={data?.totals}
        before={before.data?.totals}
        days={frame.period.shift / DAY}
      />
      <chakra.div display="contents" aria-busy={now.isPlaceholderData}>
        <Charts
          {...shared}
          error={error}
          onRetry={() => void now.refetch()}
          list={data === undefined || data.keys.length === 0 ? null : <TopList {...shared} data={data} isRoot={isRootUser(user)} />}
        />
      </chakra.div>
    </Page>
  )
}

/** The period that is shown and the one before it. The time is read once per mount, so that queries keep their keys. */
function useSeries(search: DashboardSearch, isAdmin: boolean) {
  const preset = useStored('data_export_default_time')
  const [opened] = useState(() => new Date())
  const midnight = Math.floor(new Date(opened.getFullYear(), opened.getMonth(), opened.getDate()).getTime() / 1000)
  const period = periodOf(search, Math.floor(opened.getTime() / HOUR_MS) * 3600 + 3599, midnight, preset)
  const unit = unitOf(search, period, preset)
  const { by = 'model', rank = 'quota', username = '' } = search
  const rest = { by, unit, rank, username }
  const { start, end, shift } = period
  const now = useQuery(usageSeries({ ...rest, start_timestamp: start, end_timestamp: end }, isAdmin))
  const before = useQuery(usageSeries({ ...rest, start_timestamp: start - shift, end_timestamp: end - shift }, isAdmin))
  return {
    now,
    before,
    frame: {
      period,
      unit,
      timezone: -60 * opened.getTimezoneOffset(),
      now: Math.floor(opened.getTime() / 1000),
      range: shownRange(search, preset),
    },
  }
}

const HOUR_MS = 3_600_000
const DAY = 86_400

function Notes({ isUtc, isCoarser }: { readonly isUtc: boolean; readonly isCoarser: boolean }): ReactNode {
  const { t } = useTranslation('dashboard')
  const notes = [...(isUtc ? [t('utc')] : []), ...(isCoarser ? [t('coarser')] : [])]
  if (notes.length === 0) return null
  return (
    <Text textStyle="xs" color="text.muted">
      {notes.join(' ')}
    </Text>
  )
}
