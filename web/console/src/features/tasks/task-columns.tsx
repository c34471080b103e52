import type { Task } from '@tollgate/contracts/resources/tasks'
import { timeText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { CutText, TimeText } from '../../ui/display/number-text.tsx'
import { StatusTag, ToneTag } from '../../ui/display/tone-tag.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { CellButton, MediaButton, ProgressRing, TimeTaken } from './cells.tsx'
import { channelColumn, reasonColumn, requestColumn } from './drawing-columns.tsx'
import { mediaKind, secondsTaken, taskActionText, taskMedia, taskPlatformText, taskStatus } from './task-display.ts'

type Context = {
  readonly t: TFunction<'tasks'>
  readonly isAdmin: boolean
  readonly openRecord: (task: Task) => void
  readonly openMedia: (task: Task) => void
  readonly openReason: (reason: string) => void
}

/** The columns of the task log; admins see the channel besides. */
export function taskColumns({ t, isAdmin, openRecord, openMedia, openReason }: Context): readonly Column<Task>[] {
  return [
    {
      id: 'submitted',
      header: t('column.submitted'),
      cell: ({ submit_time }) => <TimeText time={submit_time} absent="–" />,
      text: ({ submit_time }) => timeText(submit_time),
      isFixed: true,
      card: 'line',
    },
    {
      id: 'finished',
      header: t('column.finished'),
      cell: ({ finish_time }) => <TimeText time={finish_time} absent="–" />,
      text: ({ finish_time }) => (finish_time > 0 ? timeText(finish_time) : ''),
    },
    {
      id: 'progress',
      header: t('column.progress'),
      cell: ({ progress, status }) => <ProgressRing progress={progress} hasFailed={status === 'FAILURE'} />,
      text: ({ progress }) => progress,
      card: 'line',
      isAbsent: ({ progress }) => progress === '',
    },
    {
      id: 'taken',
      header: t('column.taken'),
      cell: (task) => <TimeTaken seconds={secondsTaken(task, 1)} />,
      text: (task) => secondsTaken(task, 1) ?? '',
      card: 'line',
      isAbsent: (task) => secondsTaken(task, 1) === undefined,
    },
    ...(isAdmin ? [channelColumn<Task>(t)] : []),
    {
      id: 'platform',
      header: t('column.platform'),
      cell: (task) => <ToneTag tone="grey">{taskPlatformText(task, t)}</ToneTag>,
      text: (task) => taskPlatformText(task, t),
      card: 'line',
    },
    {
      id: 'type',
      header: t('column.type'),
      cell: (task) => <ToneTag tone="blue">{taskActionText(task, t)}</ToneTag>,
      text: (task) => taskActionText(task, t),
      card: 'title',
    },
    {
      id: 'task',
      header: t('column.task'),
      cell: (task) => <TaskId task={task} onOpen={() => openRecord(task)} />,
      text: ({ task_id }) => task_id,
      card: 'line',
    },
    {
      id: 'status',
      header: t('column.status'),
      cell: (task) => <StatusTag tone={taskStatus(task).tone}>{t(`task-status.${taskStatus(task).text}`)}</StatusTag>,
      text: (task) => t(`task-status.${taskStatus(task).text}`),
      card: 'status',
    },
    {
      id: 'media',
      header: t('column.media'),
      cell: (task) => <MediaButton kind={mediaKind(task)} onOpen={() => openMedia(task)} />,
      text: (task) => taskMedia(task)[0]?.url ?? '',
      sort: 'none',
      card: 'line',
      isAbsent: (task) => mediaKind(task) === undefined,
    },
    reasonColumn(t, openReason),
    requestColumn(t),
  ]
}

/** Opens the record; the id itself is copied beside it. */
function TaskId({ task, onOpen }: { readonly task: Task; readonly onOpen: () => void }) {
  if (task.task_id === '') return null
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', verticalAlign: 'middle' }}>
      <CellButton onClick={onOpen}>
        <code>
          <CutText text={task.task_id} width="11rem" />
        </code>
      </CellButton>
      <CopyButton text={task.task_id} />
    </span>
  )
}
