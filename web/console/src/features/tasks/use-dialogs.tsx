import { useState, type ReactNode } from 'react'
import { MediaDialog, ReasonDialog } from './dialogs.tsx'
import type { Media } from './view.ts'

type Opened = { readonly reason: string } | { readonly media: readonly Media[] } | undefined

/** What stands over a list of tasks: why one failed, or what it made. */
export function useTaskDialogs() {
  const [opened, setOpened] = useState<Opened>(undefined)
  const close = (): void => setOpened(undefined)
  const dialog: ReactNode =
    opened === undefined ? null : 'reason' in opened ? (
      <ReasonDialog reason={opened.reason} onClose={close} />
    ) : (
      <MediaDialog media={opened.media} onClose={close} />
    )
  return {
    openReason: (reason: string): void => setOpened({ reason }),
    openMedia: (media: readonly Media[]): void => setOpened({ media }),
    dialog,
  }
}
