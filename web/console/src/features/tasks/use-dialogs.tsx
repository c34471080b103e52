import type { DrawingTask } from '@tollgate/contracts/resources/drawing-tasks'
import type { Task } from '@tollgate/contracts/resources/tasks'
import { useState, type ReactNode } from 'react'
import { MediaDialog, ReasonDialog, TaskMediaDialog } from './dialogs.tsx'
import { directMedia, drawingMedia, type Media } from './task-display.ts'

type Opened = { readonly reason: string } | { readonly media: readonly Media[] } | { readonly task_id: string } | undefined

/** Dialogs over a list of tasks: the reason of a failure, or the results. */
export function useTaskDialogs() {
  const [opened, setOpened] = useState<Opened>(undefined)
  const close = (): void => setOpened(undefined)
  return {
    openReason: (reason: string): void => setOpened({ reason }),
    openDrawing: (task: DrawingTask): void => {
      const isDirect = task.media.length === 0 || directMedia(task) !== undefined
      setOpened(isDirect ? { media: drawingMedia(task) } : { task_id: task.mj_id })
    },
    openTask: (task: Task): void => {
      const media = directMedia(task)
      setOpened(media === undefined ? { task_id: task.task_id } : { media })
    },
    dialog: dialogOf(opened, close),
  }
}

function dialogOf(opened: Opened, close: () => void): ReactNode {
  if (opened === undefined) return null
  if ('reason' in opened) return <ReasonDialog reason={opened.reason} onClose={close} />
  if ('media' in opened) return <MediaDialog media={opened.media} onClose={close} />
  return <TaskMediaDialog taskId={opened.task_id} onClose={close} />
}
