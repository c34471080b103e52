import type { DrawingTask } from '@tollgate/contracts/resources/drawing-tasks'
import { timeText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { StatusTag, ToneTag } from '../../ui/display/tone-tag.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { MediaButton, ProgressBar, ReasonCell, RequestLink, TextCell, TimeTaken } from './cells.tsx'
import { drawingAction, drawingMedia, drawingStatus, secondsTaken, submitResult } from './task-display.ts'

type Context = {
  readonly t: TFunction<'tasks'>
  readonly isAdmin: boolean
  readonly openDrawing: (task: DrawingTask) => void
  readonly openReason: (reason: string) => void
}

const MS = 1_000

/** The columns of the drawing log; admins see the channel besides. */
export function drawingColumns(context: Context): readonly Column<DrawingTask>[] {
  const { t, openReason } = context
  return [...submissionColumns(context), ...resultColumns(context), reasonColumn(t, openReason), requestColumn(t)]
}

function submissionColumns({ t, isAdmin }: Context): readonly Column<DrawingTask>[] {
  const resultOf = (task: DrawingTask): string => t(`code.${submitResult(task).text}`, { code: task.code })
  return [
    {
      id: 'submitted',
      header: t('column.submitted'),
      cell: ({ submit_time }) => <TimeText time={Math.floor(submit_time / MS)} absent="–" />,
      text: ({ submit_time }) => timeText(Math.floor(submit_time / MS)),
      isFixed: true,
      card: 'line',
    },
    {
      id: 'taken',
      header: t('column.taken'),
      cell: (task) => <TimeTaken seconds={secondsTaken(task, MS)} />,
      text: (task) => secondsTaken(task, MS) ?? '',
      card: 'line',
      isAbsent: (task) => secondsTaken(task, MS) === undefined,
    },
    ...(isAdmin ? [channelColumn<DrawingTask>(t)] : []),
    {
      id: 'type',
      header: t('column.type'),
      cell: (task) => <ToneTag tone="blue">{t(`drawing.${drawingAction(task)}`)}</ToneTag>,
      text: (task) => t(`drawing.${drawingAction(task)}`),
      card: 'title',
    },
    {
      id: 'task',
      header: t('column.task'),
      cell: ({ mj_id }) => (mj_id === '' ? null : <CopyId text={mj_id} />),
      text: ({ mj_id }) => mj_id,
      card: 'line',
    },
    {
      id: 'result',
      header: t('column.result'),
      cell: (task) => <ToneTag tone={submitResult(task).tone}>{resultOf(task)}</ToneTag>,
      text: resultOf,
    },
  ]
}

function resultColumns({ t, openDrawing }: Context): readonly Column<DrawingTask>[] {
  return [
    {
      id: 'status',
      header: t('column.status'),
      cell: (task) => <StatusTag tone={drawingStatus(task).tone}>{t(`drawing-status.${drawingStatus(task).text}`)}</StatusTag>,
      text: (task) => t(`drawing-status.${drawingStatus(task).text}`),
      card: 'status',
    },
    {
      id: 'progress',
      header: t('column.progress'),
      cell: ({ progress, status }) => <ProgressBar progress={progress} hasFailed={status === 'FAILURE'} />,
      text: ({ progress }) => progress,
      card: 'line',
    },
    {
      id: 'image',
      header: t('column.image'),
      cell: (task) => <MediaButton kind={drawingMedia(task)[0]?.kind} onOpen={() => openDrawing(task)} />,
      text: ({ image_url }) => image_url,
      sort: 'none',
      card: 'line',
      isAbsent: (task) => drawingMedia(task).length === 0,
    },
    {
      id: 'prompt',
      header: t('column.prompt'),
      cell: ({ prompt }) => <TextCell text={prompt} />,
      text: ({ prompt }) => prompt,
      card: 'line',
      isAbsent: ({ prompt }) => prompt === '',
    },
    {
      id: 'prompt-en',
      header: t('column.prompt-en'),
      cell: ({ prompt_en }) => <TextCell text={prompt_en} />,
      text: ({ prompt_en }) => prompt_en,
    },
  ]
}

export function channelColumn<Row extends { readonly channel_id: number }>(t: TFunction<'tasks'>): Column<Row> {
  return {
    id: 'channel',
    header: t('column.channel'),
    cell: ({ channel_id }) => (channel_id === 0 ? null : <CopyId text={String(channel_id)} shown={`#${channel_id}`} />),
    text: ({ channel_id }) => channel_id,
  }
}

export function reasonColumn<Row extends { readonly fail_reason: string }>(
  t: TFunction<'tasks'>,
  openReason: (reason: string) => void,
): Column<Row> {
  return {
    id: 'reason',
    header: t('column.reason'),
    cell: ({ fail_reason }) => <ReasonCell reason={fail_reason} onOpen={() => openReason(fail_reason)} />,
    text: ({ fail_reason }) => fail_reason,
    card: 'line',
    isAbsent: ({ fail_reason }) => fail_reason === '',
  }
}

export function requestColumn<Row extends { readonly request_id: string }>(t: TFunction<'tasks'>): Column<Row> {
  return {
    id: 'request',
    header: t('column.request'),
    cell: ({ request_id }) => <RequestLink requestId={request_id} />,
    text: ({ request_id }) => request_id,
    sort: 'none',
    card: 'actions',
    isAbsent: ({ request_id }) => request_id === '',
  }
}
