import type { Task } from '@tollgate/contracts/resources/tasks'
import { ListMusic } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin as isAdminUser, useUser } from '../../lib/session.ts'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import { useCollectedList } from '../../ui/list/use-collected-list.ts'
import { ofIds, taskPage } from './api.ts'
import { RecordDialog } from './dialogs.tsx'
import { useTaskFilters } from './filters.tsx'
import { taskRange, type TaskSearch } from './search.ts'
import { taskColumns } from './task-columns.tsx'
import { useTaskDialogs } from './use-dialogs.tsx'
import { isInProgress } from './task-display.ts'

type TasksPageProps = { readonly search: TaskSearch; readonly onSearch: (search: TaskSearch) => void }

/** `/task`: everyone's music and video tasks for an admin, the caller's own for a user. */
export function TasksPage({ search, onSearch }: TasksPageProps): ReactNode {
  const { t } = useTranslation('tasks')
  const isAdmin = isAdminUser(useUser())
  const { filters, range } = useTaskFilters({ search, onSearch, isAdmin, defaultRange: taskRange })
  const list = useCollectedList<Task>({
    page: search.page ?? 1,
    idOf: ({ id }) => id,
    serverPage: (p) => taskPage({ p, ids: '', ...range, task_id: search.task_id, channel: search.channel }, isAdmin),
    byIds: (ids) => taskPage(ofIds(ids), isAdmin),
    isOpen: isInProgress,
  })
  const { openTask, openReason, dialog } = useTaskDialogs()
  const record = search.open === undefined ? undefined : list.rows?.find(({ id }) => id === search.open)
  const openRecord = ({ id }: Task): void => onSearch({ ...search, open: id })
  return (
    <ResourceList
      name="task"
      title={t('tasks-title')}
      list={list}
      columns={taskColumns({ t, isAdmin, openRecord, openMedia: openTask, openReason })}
      filters={filters}
      search={search}
      onSearch={onSearch}
      idOf={({ id }) => id}
      nameOf={({ task_id }) => task_id}
      empty={{ title: t('tasks-empty'), help: t('tasks-empty-help'), icon: <ListMusic /> }}
      openId={search.open}
      canFollow
    >
      {dialog}
      {record === undefined ? null : <RecordDialog record={record} onClose={() => onSearch(withoutOpen(search))} />}
    </ResourceList>
  )
}

const withoutOpen = ({ open: _open, ...rest }: TaskSearch): TaskSearch => rest
