import { Button, Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Lock } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { useRefreshAtEnd } from '../../lib/query-client.ts'
import { failureText } from '../../lib/report.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { FactTable } from '../../ui/display/fact-table.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { importState } from './api.ts'
import { Report } from './report.tsx'
import { RunPanel, type RunProps } from './run-panel.tsx'
import { SourceForm } from './source-form.tsx'

/** `/setting/import`: what another gateway has, carried in with a dry run before. */
export function MovingInPage({ guarded }: { readonly guarded: Guarded }): ReactNode {
  const { t } = useTranslation('moving-in')
  const back = (
    <Button variant="outline" asChild>
      <Link to="/setting">
        <ArrowLeft />
        {t('back')}
      </Link>
    </Button>
  )
  return (
    <Page title={t('title')} lead={t('lead')} action={back}>
      {isRoot(useUser()) ? <Content guarded={guarded} /> : <EmptyState icon={<Lock />} title={t('root-only')} help={t('root-only-help')} />}
    </Page>
  )
}

function Content({ guarded }: { readonly guarded: Guarded }): ReactNode {
  const { t } = useTranslation('moving-in')
  const { data, error, refetch } = useQuery(importState)
  // Name, notices, balances and lists can be others after a run that writes.
  useRefreshAtEnd(data?.run?.state === 'running' && !data.run.is_dry_run)
  if (data === undefined)
    return error === null ? <Skeleton h="60" aria-busy /> : <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} />
  const { run, report, carried } = data
  return (
    <Stack gap="4">
      {run === null ? (
        <SourceForm guarded={guarded} isInUse={data.is_in_use} />
      ) : (
        <Latest key={run.id} run={run} report={report} guarded={guarded} />
      )}
      {carried.length === 0 ? null : (
        <Panel title={t('carried.title')} help={t('carried.help')} isFlush>
          <FactTable
            label={t('carried.title')}
            rows={carried}
            idOf={({ name }) => name}
            columns={[
              { id: 'name', header: t('carried.name'), cell: ({ name }) => name },
              { id: 'family', header: t('carried.family'), cell: ({ family }) => family },
              { id: 'at', header: t('carried.at'), cell: ({ updated_at }) => <TimeText time={updated_at} absent="–" /> },
            ]}
          />
        </Panel>
      )}
    </Stack>
  )
}

/** The latest run with its report, and the settings that the next one leaves out. */
function Latest({ run, report, guarded }: RunProps): ReactNode {
  const [names, setNames] = useState<ReadonlySet<string>>(() => new Set(run.wishes.keep))
  const toggle = (name: string): void => setNames(new Set(names.has(name) ? [...names].filter((one) => one !== name) : [...names, name]))
  return (
    <>
      <RunPanel run={run} report={report} guarded={guarded} keep={[...names]} />
      {report === null ? null : <Report report={report} kept={run.is_dry_run && run.has_source ? { names, toggle } : undefined} />}
    </>
  )
}
