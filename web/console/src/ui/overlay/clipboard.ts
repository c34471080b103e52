import i18next from 'i18next'
import { toast } from '../../lib/toast.ts'

let failed: string | undefined
const listeners = new Set<() => void>()

/** Copies and says so, in the words of `done`; where the browser refuses, the text itself is offered in a dialog (`CopyFallback`). */
export async function copyText(text: string, done: string = i18next.t('display:copy.done')): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    // No permission or no secure context: the reader copies by hand.
    toast.error(i18next.t('display:copy.failed'))
    setFailed(text)
  }
}

export const failedCopy = {
  current: (): string | undefined => failed,
  close: (): void => setFailed(undefined),
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
} as const

function setFailed(text: string | undefined): void {
  failed = text
  for (const listener of listeners) listener()
}
