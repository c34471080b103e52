import { Button, Flex, Skeleton, Stack, Table, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { WhatIfPresent, WhatIfRun } from '@tollgate/contracts/resources/what-if'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { FlaskConical } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { TableFrame } from '../../ui/display/table-frame.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { present, report, runs } from './api.ts'
import { CandidateForm } from './candidate-form.tsx'

/** The result with its chart is fetched when there is one. */
const Outcome = lazy(async () => ({ default: (await import('./outcome.tsx')).Outcome }))

/** `/what-if`: recorded requests with another configuration. */
export function WhatIfPage(): ReactNode {
  const { t } = useTranslation('what-if')
  const now = useQuery(present)
  const listed = useQuery(runs)
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const id = chosen ?? listed.data?.[0]?.id
  return (
    <Page title={t('title')} lead={t('lead')}>
      {now.data === undefined ? (
        now.error === null ? (
          <Skeleton h="60" aria-busy />
        ) : (
          <ErrorState message={failureText(now.error) ?? ''} onRetry={() => void now.refetch()} />
        )
      ) : now.data.channels.length === 0 ? (
        <EmptyState title={t('no-channels')} help={t('no-channels-help')} icon={<FlaskConical />} />
      ) : (
        <>
          <CandidateForm present={now.data} onStarted={setChosen} />
          {id === undefined ? null : <Shown id={id} present={now.data} />}
          {listed.data === undefined ? null : <Earlier runs={listed.data} shown={id} onRun={setChosen} />}
        </>
      )}
    </Page>
  )
}

function Shown({ id, present: now }: { readonly id: number; readonly present: WhatIfPresent }): ReactNode {
  const found = useQuery(report(id))
  if (found.data !== undefined)
    return (
      <Suspense fallback={<Skeleton h="40" aria-busy />}>
        <Outcome report={found.data} present={now} />
      </Suspense>
    )
  if (found.error === null) return <Skeleton h="40" aria-busy />
  return <ErrorState message={failureText(found.error) ?? ''} onRetry={() => void found.refetch()} />
}

const TONES = { waiting: 'grey', running: 'blue', done: 'green', failed: 'red', cancelled: 'grey' } as const

type EarlierProps = { readonly runs: readonly WhatIfRun[]; readonly shown: number | undefined; readonly onRun: (id: number) => void }

/** The runs that are kept, newest first. */
function Earlier({ runs: all, shown, onRun }: EarlierProps): ReactNode {
  const { t } = useTranslation('what-if')
  if (all.length === 0) return <EmptyState title={t('none')} help={t('none-help')} icon={<FlaskConical />} />
  return (
    <Panel title={t('runs')} isFlush>
      <TableFrame label={t('runs')}>
        <Table.Root size="sm">
          <Table.Header>
            <Table.Row>
              {(['run', 'range', 'changes', 'requests', 'state'] as const).map((name) => (
                <Table.ColumnHeader key={name} whiteSpace="nowrap" {...(name === 'requests' ? { textAlign: 'end' } : {})}>
                  {t(`column.${name}`)}
                </Table.ColumnHeader>
              ))}
              <Table.ColumnHeader />
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {all.map((run) => (
              <Table.Row key={run.id} {...(run.id === shown ? { 'aria-current': 'true' as const } : {})}>
                <Table.Cell whiteSpace="nowrap">
                  #{run.id} · {run.requested_by}
                  <Text textStyle="xs" color="text.muted">
                    {timeText(run.created_at)}
                  </Text>
                </Table.Cell>
                <Table.Cell whiteSpace="nowrap">{t('hours', { count: Math.round((run.until - run.since) / 3600) })}</Table.Cell>
                <Table.Cell minW="8rem">
                  <Summary run={run} />
                </Table.Cell>
                <Table.Cell textAlign="end" fontVariantNumeric="tabular-nums">
                  {groupDigits(run.done)}
                </Table.Cell>
                <Table.Cell>
                  <StatusTag tone={TONES[run.state]}>{t(`state.${run.state}`)}</StatusTag>
                </Table.Cell>
                <Table.Cell textAlign="end">
                  <Flex justify="flex-end">
                    <Button
                      size="xs"
                      variant="outline"
                      disabled={run.id === shown}
                      aria-label={t('show-run', { id: run.id })}
                      onClick={() => onRun(run.id)}
                    >
                      {t('show')}
                    </Button>
                  </Flex>
                </Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </TableFrame>
    </Panel>
  )
}

function Summary({ run: { candidate } }: { readonly run: WhatIfRun }): ReactNode {
  const { t } = useTranslation('what-if')
  const { channels, strategies, fallbacks, prices = [] } = candidate
  const parts = [
    ...(channels.length === 0 ? [] : [t('summary.channels', { count: channels.length })]),
    ...(strategies === undefined ? [] : [t('summary.strategies')]),
    ...(fallbacks === undefined ? [] : [t('summary.fallbacks')]),
    ...(prices.length === 0 ? [] : [t('summary.prices', { count: prices.length })]),
  ]
  return <Stack gap="0">{parts.length === 0 ? t('summary.nothing') : parts.join(t('summary.and'))}</Stack>
}
