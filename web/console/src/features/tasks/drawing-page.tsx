import { Alert, Link as TextLink } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { DrawingTask } from '@tollgate/contracts/resources/drawing-tasks'
import { Brush, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin as isAdminUser, isRoot, useUser } from '../../lib/session.ts'
import { useStored } from '../../lib/storage.ts'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import { useCollectedList } from '../../ui/list/use-collected-list.ts'
import { drawingPage, ofIds } from './api.ts'
import { drawingColumns } from './drawing-columns.tsx'
import { useTaskFilters } from './filters.tsx'
import { drawingRange, type TaskSearch } from './search.ts'
import { useTaskDialogs } from './use-dialogs.tsx'
import { isInProgress } from './task-display.ts'

type DrawingsPageProps = { readonly search: TaskSearch; readonly onSearch: (search: TaskSearch) => void }

/** `/midjourney`: everyone's drawing tasks for an admin, the caller's own for a user. */
export function DrawingsPage({ search, onSearch }: DrawingsPageProps): ReactNode {
  const { t } = useTranslation('tasks')
  const isAdmin = isAdminUser(useUser())
  const { filters, range } = useTaskFilters({ search, onSearch, isAdmin, defaultRange: drawingRange })
  const list = useCollectedList<DrawingTask>({
    page: search.page ?? 1,
    idOf: ({ id }) => id,
    serverPage: (p) => drawingPage({ p, ids: '', ...range, task_id: search.task_id, channel: search.channel }, isAdmin),
    byIds: (ids) => drawingPage(ofIds(ids), isAdmin),
    isOpen: isInProgress,
  })
  const { openDrawing, openReason, dialog } = useTaskDialogs()
  return (
    <ResourceList
      name="midjourney"
      title={t('drawings-title')}
      list={list}
      columns={drawingColumns({ t, isAdmin, openDrawing, openReason })}
      filters={filters}
      search={search}
      onSearch={onSearch}
      idOf={({ id }) => id}
      nameOf={({ mj_id }) => mj_id}
      empty={{ title: t('drawings-empty'), help: t('drawings-empty-help'), icon: <Brush /> }}
      canFollow
      lead={isAdmin ? <CallbackBanner /> : null}
    >
      {dialog}
    </ResourceList>
  )
}

/** For admins, while upstreams may not call back. */
function CallbackBanner(): ReactNode {
  const { t } = useTranslation('tasks')
  const isOn = useStored('mj_notify_enabled') === true
  const user = useUser()
  if (isOn) return null
  return (
    <Alert.Root status="info" flexShrink="0">
      <Alert.Indicator>
        <Info />
      </Alert.Indicator>
      <Alert.Content display="block">
        {t('no-callback')}{' '}
        {isRoot(user) ? (
          <TextLink asChild whiteSpace="nowrap">
            <Link to="/setting" search={{ tab: 'operation' }}>
              {t('no-callback-settings')}
            </Link>
          </TextLink>
        ) : null}
      </Alert.Content>
    </Alert.Root>
  )
}
