import { Button, chakra, Flex, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { FailedJob, QueueFacts } from '@tollgate/contracts/resources/health'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { saying } from '../../lib/saying.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { failedJobs, useChangeJob } from './api.ts'
import { FactTable } from '../../ui/display/fact-table.tsx'
import { NoRows } from './parts.tsx'

/** The worker's queues; root opens the failed jobs of one. */
export function Queues({ queues }: { readonly queues: readonly QueueFacts[] | null }): ReactNode {
  const { t } = useTranslation('health')
  const [openQueue, setOpenQueue] = useState<string | undefined>(undefined)
  const canOpen = isRoot(useUser())
  const count = (of: 'waiting' | 'active' | 'delayed') =>
    ({ id: of, header: t(`queues.${of}`), cell: (queue: QueueFacts) => groupDigits(queue[of]), align: 'end' }) as const
  return (
    <Panel title={t('queues.title')} help={t('queues.help')} isFlush>
      {queues === null ? (
        <NoRows text={t('unread')} />
      ) : (
        <FactTable
          label={t('queues.title')}
          rows={queues}
          idOf={({ queue }) => queue}
          columns={[
            { id: 'queue', header: t('queues.queue'), cell: ({ queue }) => t(`queues.name.${queue}`, { defaultValue: queue }) },
            count('waiting'),
            count('active'),
            count('delayed'),
            {
              id: 'failed',
              header: t('queues.failed'),
              align: 'end',
              cell: ({ queue, failed }) =>
                canOpen && failed > 0 ? (
                  <Button size="xs" variant="outline" colorPalette="danger" onClick={() => setOpenQueue(queue)}>
                    {t('queues.show', { count: failed })}
                  </Button>
                ) : (
                  groupDigits(failed)
                ),
            },
          ]}
        />
      )}
      {openQueue === undefined ? null : <FailedJobs queue={openQueue} onClose={() => setOpenQueue(undefined)} />}
    </Panel>
  )
}

function FailedJobs({ queue, onClose }: { readonly queue: string; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('health')
  const { data, error, refetch } = useQuery(failedJobs(queue))
  return (
    <DetailDrawer title={t('queues.failed-title', { queue: t(`queues.name.${queue}`, { defaultValue: queue }) })} onClose={onClose}>
      {data === undefined && error !== null ? <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} /> : null}
      {data?.length === 0 ? <EmptyState title={t('queues.none')} help={t('queues.none-help')} /> : null}
      <Stack gap="3">
        {data?.map((job) => (
          <JobCard key={job.id} queue={queue} job={job} />
        ))}
      </Stack>
    </DetailDrawer>
  )
}

function JobCard({ queue, job }: { readonly queue: string; readonly job: FailedJob }): ReactNode {
  const { t } = useTranslation('health')
  const change = useChangeJob()
  const confirm = useConfirm()
  const run = (does: 'retry' | 'remove'): Promise<void> =>
    saying(change.mutateAsync({ queue, id: job.id, does }), () => t(does === 'retry' ? 'queues.retried' : 'queues.removed'))
  return (
    <chakra.article borderWidth="1px" borderColor="border" borderRadius="control" px="3" py="2.5" aria-label={`${job.name} ${job.id}`}>
      <Flex justify="space-between" gap="2" wrap="wrap">
        <Text color="text.strong" fontWeight="medium">
          {job.name}
        </Text>
        <Text textStyle="xs" color="text.muted">
          {t('queues.job', { time: timeText(job.failed_at), count: job.attempts })}
        </Text>
      </Flex>
      <Text textStyle="sm" color="danger.fg" overflowWrap="anywhere">
        {job.reason}
      </Text>
      <Text textStyle="mono" color="text.muted" overflowWrap="anywhere">
        {job.payload}
      </Text>
      <Flex gap="2" mt="2">
        <Button size="xs" loading={change.isPending} onClick={() => void run('retry')}>
          {t('queues.retry')}
        </Button>
        <Button
          size="xs"
          variant="outline"
          colorPalette="danger"
          onClick={() =>
            confirm.ask({
              title: t('queues.remove-title'),
              help: t('queues.remove-help'),
              confirm: t('queues.remove'),
              run: () => run('remove'),
            })
          }
        >
          {t('queues.remove')}
        </Button>
      </Flex>
      {confirm.dialog}
    </chakra.article>
  )
}
