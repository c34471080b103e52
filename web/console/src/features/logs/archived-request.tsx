import { Button, chakra, Flex, Progress, Stack, Text } from '@chakra-ui/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ArchiveSearch } from '@tollgate/contracts/resources/archive-searches'
import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { Archive, X } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { archiveSearch, cancelArchiveSearch, searchArchive } from './api.ts'
import { neighboursOf } from './neighbours.ts'
import type { LogSearch } from './search.ts'

const ExplainedDrawer = lazy(async () => ({ default: (await import('./explanation-drawer.tsx')).ExplainedDrawer }))

type Props = {
  /** The archived month that may have it. */
  readonly month: string
  readonly requestId: string
  readonly isAdmin: boolean
  readonly onSearch: (search: LogSearch) => void
}

/** Looks for a request in the archive, which the worker reads, and shows what it found. */
export function ArchivedRequest({ month, requestId, isAdmin, onSearch }: Props): ReactNode {
  const { t } = useTranslation('logs')
  const client = useQueryClient()
  const latest = useQuery(archiveSearch(isAdmin))
  const begin = useMutation({
    mutationFn: () => searchArchive(requestId, isAdmin),
    onSuccess: (begun) => client.setQueryData(archiveSearch(isAdmin).queryKey, begun),
  })
  const cancel = useMutation({
    mutationFn: () => cancelArchiveSearch(isAdmin),
    onSuccess: (ended) => client.setQueryData(archiveSearch(isAdmin).queryKey, ended),
  })
  const search = latest.data?.request_id === requestId ? latest.data : undefined
  const isUnderWay = search?.state === 'waiting' || search?.state === 'reading'
  const [openId, setOpenId] = useState<number>()
  const found = search?.found ?? []
  const shown = found.find(({ log }) => log.id === openId)
  const rows = found.map(({ log }) => log)
  return (
    <Panel
      title={t('archived.title')}
      help={t('archived.help', { month })}
      isFlush
      action={
        search?.state === 'done' ? undefined : isUnderWay ? (
          <Button size="sm" variant="outline" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            <X aria-hidden />
            {t('archived.cancel')}
          </Button>
        ) : (
          <Button size="sm" variant="outline" loading={begin.isPending} onClick={() => begin.mutate()}>
            <Archive aria-hidden />
            {t(search === undefined ? 'archived.look' : 'archived.again')}
          </Button>
        )
      }
    >
      {search === undefined ? null : <State search={search} isAdmin={isAdmin} />}
      {latest.isError && search === undefined ? <Line isAlert>{failureText(latest.error)}</Line> : null}
      {found.map((one) => (
        <Found key={one.log.id} found={one} onOpen={() => setOpenId(one.log.id)} />
      ))}
      {shown === undefined ? null : (
        <Suspense fallback={null}>
          <ExplainedDrawer
            explained={shown}
            isAdmin={isAdmin}
            isArchived
            neighbours={neighboursOf(rows, shown.log.id)}
            onOpen={({ id }) => setOpenId(id)}
            onSearch={onSearch}
            onClose={() => setOpenId(undefined)}
          />
        </Suspense>
      )}
    </Panel>
  )
}

function State({ search, isAdmin }: { readonly search: ArchiveSearch; readonly isAdmin: boolean }): ReactNode {
  const { t } = useTranslation('logs')
  const { state, fault, objects, objects_read, found } = search
  if (state === 'done') return found.length > 0 ? null : <Line>{t(isAdmin ? 'archived.none' : 'archived.none-own')}</Line>
  if (state === 'cancelled') return <Line>{t('archived.cancelled')}</Line>
  if (state === 'failed') {
    const why = fault === null || (fault === 'no-store' && !isAdmin) ? 'unreadable' : fault
    return <Line isAlert>{t(`archived.fault.${why}`)}</Line>
  }
  return (
    <Stack gap="2" role="status" px="4" py="3">
      <Progress.Root value={state === 'waiting' || objects === 0 ? null : (100 * objects_read) / objects} size="sm">
        <Flex justify="space-between" wrap="wrap" columnGap="3" mb="1.5">
          <Progress.Label>{t(`archived.${state}`)}</Progress.Label>
          {objects === 0 ? null : (
            <Progress.ValueText>
              {t('archived.progress', { done: groupDigits(objects_read), total: groupDigits(objects) })}
            </Progress.ValueText>
          )}
        </Flex>
        <Progress.Track>
          <Progress.Range />
        </Progress.Track>
      </Progress.Root>
    </Stack>
  )
}

function Line({ isAlert = false, children }: { readonly isAlert?: boolean; readonly children: ReactNode }): ReactNode {
  return (
    <Text px="4" py="3" role={isAlert ? 'alert' : 'status'} color={isAlert ? 'danger.fg' : 'text.muted'}>
      {children}
    </Text>
  )
}

function Found({ found: { log }, onOpen }: { readonly found: LogExplanation; readonly onOpen: () => void }): ReactNode {
  const { t } = useTranslation('logs')
  return (
    <PanelRow
      title={log.model_name === '' ? `#${log.id}` : log.model_name}
      action={
        <Button size="sm" variant="outline" onClick={onOpen}>
          {t('archived.open')}
        </Button>
      }
    >
      <Flex gap="3" wrap="wrap">
        <TimeText time={log.created_at} absent="–" />
        <QuotaText quota={log.quota} kind="charge" />
        {log.token_name === '' ? null : <chakra.span>{log.token_name}</chakra.span>}
      </Flex>
    </PanelRow>
  )
}
