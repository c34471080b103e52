import { Button, chakra, Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import type { SystemHealth } from '@tollgate/contracts/resources/health'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { countPaused } from '@tollgate/domain/system-health/count-paused'
import { RefreshCw } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { systemHealth } from './api.ts'
import { Problems } from './problems.tsx'
import { Breakers, Ledger, Partitions, Services } from './parts.tsx'
import { Queues } from './queues.tsx'
import { LedgerMasters } from './ledger-masters.tsx'
import { PostgresPart, RedisPart } from './stores.tsx'

/** Fetched when they are shown: most visits are for the system's health. */
const Incidents = lazy(async () => ({ default: (await import('./incidents.tsx')).Incidents }))
/** The hash of the address that shows the incidents of the status page. */
const INCIDENTS = 'incidents'

/** `/health`: what an operator asks first when something is wrong; with its hash, the incidents of the public status page. */
export function HealthPage(): ReactNode {
  const { hash } = useLocation()
  const navigate = useNavigate()
  if (hash !== INCIDENTS) return <Health onIncidents={() => void navigate({ to: '/health', hash: INCIDENTS })} />
  return (
    <Suspense fallback={<Skeleton h="60" aria-busy />}>
      <Incidents onBack={() => void navigate({ to: '/health' })} />
    </Suspense>
  )
}

function Health({ onIncidents }: { readonly onIncidents: () => void }): ReactNode {
  const { t } = useTranslation('health')
  const query = useQuery(systemHealth)
  const { data, error } = query
  return (
    <Page
      title={t('title')}
      lead={data === undefined ? t('lead') : t('read-at', { time: timeText(data.read_at) })}
      action={
        <>
          <Button variant="outline" onClick={onIncidents}>
            {t('incident.show')}
          </Button>
          <IconButton
            variant="outline"
            label={t('refresh')}
            loading={query.isFetching && data !== undefined}
            onClick={() => void query.refetch()}
          >
            <RefreshCw />
          </IconButton>
        </>
      }
    >
      {data === undefined ? (
        error === null ? (
          <Stack gap="4" aria-busy>
            <Skeleton h="20" />
            <Skeleton h="60" />
          </Stack>
        ) : (
          <ErrorState message={failureText(error) ?? ''} onRetry={() => void query.refetch()} />
        )
      ) : (
        <Parts health={data} />
      )}
    </Page>
  )
}

function Parts({ health }: { readonly health: SystemHealth }): ReactNode {
  const { ledger_redis, ledger_masters } = health
  const columns = ledger_redis === undefined ? 3 : 2
  const hasOwn = ledger_redis !== undefined || ledger_masters !== undefined
  return (
    <>
      <Problems problems={health.problems} />
      <Numbers health={health} />
      <Services services={health.services} />
      <chakra.div display="grid" gap="4" gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: `repeat(${columns}, minmax(0, 1fr))` }}>
        <Ledger ledger={health.ledger} hasMasters={ledger_masters !== undefined} />
        <PostgresPart postgres={health.postgres} logStore={health.log_store} />
        <RedisPart redis={health.redis} holds={hasOwn ? 'rest' : 'all'} />
        {ledger_redis === undefined ? null : <RedisPart redis={ledger_redis} holds="ledger" />}
      </chakra.div>
      {ledger_masters === undefined ? null : <LedgerMasters masters={ledger_masters} />}
      <Queues queues={health.queues} />
      <Breakers breakers={health.breakers} />
      <Partitions partitions={health.partitions} />
    </>
  )
}

const UNKNOWN = '—'

function Numbers({ health: { services, ledger, queues, breakers } }: { readonly health: SystemHealth }): ReactNode {
  const { t } = useTranslation('health')
  const sum = (of: 'waiting' | 'failed'): string =>
    queues === null ? UNKNOWN : groupDigits(queues.reduce((total, queue) => total + queue[of], 0))
  return (
    <StatRow>
      <StatCard label={t('number.services')}>
        {services === null ? UNKNOWN : services.filter(({ is_running }) => is_running).length}
      </StatCard>
      <StatCard label={t('number.lag')} help={t('number.lag-help')}>
        {ledger === null ? UNKNOWN : t('seconds', { value: Number(ledger.lag_seconds.toFixed(1)) })}
      </StatCard>
      <StatCard label={t('number.holds')} help={t('number.holds-help')}>
        {ledger === null ? UNKNOWN : groupDigits(ledger.open_holds)}
      </StatCard>
      <StatCard label={t('number.waiting')}>{sum('waiting')}</StatCard>
      <StatCard label={t('number.failed')}>{sum('failed')}</StatCard>
      <StatCard label={t('number.paused')} help={t('number.paused-help')}>
        {breakers === null ? UNKNOWN : countPaused(breakers)}
      </StatCard>
    </StatRow>
  )
}
