import { useBlocker } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'
import type { ResourceForm } from './use-resource-form.ts'

type Guarded = Pick<ResourceForm<object>, 'isGuarded' | 'release'> & {
  /** Moves inside the page that lose nothing, such as another tab of it. */
  readonly isSamePage?: (from: string, to: string) => boolean
}

/** Asks before typed input is lost, by `close` or by any other way out of the page; `leaving` is the question. */
export function useLeaveGuard(form: Guarded, onClose: () => void = () => undefined): { close: () => void; leaving: ReactNode } {
  const { t } = useTranslation('display')
  const [isClosing, setClosing] = useState(false)
  const blocked = useBlocker({
    shouldBlockFn: ({ current, next }) => form.isGuarded() && form.isSamePage?.(current.pathname, next.pathname) !== true,
    enableBeforeUnload: form.isGuarded,
    withResolver: true,
  })
  const isAsking = isClosing || blocked.status === 'blocked'
  const leave = (): void => {
    form.release()
    if (blocked.status === 'blocked') blocked.proceed()
    else onClose()
  }
  const stay = (): void => {
    setClosing(false)
    if (blocked.status === 'blocked') blocked.reset()
  }
  const question = {
    title: t('form.dirty-title'),
    help: t('form.dirty-help'),
    confirm: t('form.dirty-leave'),
    cancel: t('form.dirty-stay'),
    run: leave,
  }
  return {
    close: () => (form.isGuarded() ? setClosing(true) : onClose()),
    leaving: <ConfirmDialog ask={isAsking ? question : undefined} onClose={stay} />,
  }
}
