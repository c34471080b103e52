import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { status } from '@tollgate/contracts/resources/status'
import { lazy, useEffect, type ReactNode } from 'react'
import { call, keyOf } from '../../lib/api.ts'
import { useSiteStatus } from '../../lib/status.ts'
import { storage, useStored } from '../../lib/storage.ts'
import { useOtherDialog } from '../../ui/overlay/use-other-dialog.ts'

const NoticeDialog = lazy(async () => ({ default: (await import('./notice-dialog.tsx')).NoticeDialog }))

const operatorNotice = queryOptions({
  queryKey: keyOf(status.notice),
  queryFn: ({ signal }) => call(status.notice, { signal }),
  staleTime: 60_000,
  // A site without its notice is a site: nothing is said.
  meta: { quiet: true },
})

/** An import can bring the notice of another gateway: it must not open over the run that brings it. */
const QUIET_PATH = '/setting/import'

/**
 * The operator's notice, until this reader has closed it; shown again after each change. It waits until the page is there and no
 * other dialog or drawer is open, such as the one of a deep link.
 */
export function Notice(): ReactNode {
  const isSetUp = useSiteStatus()?.setup === true
  const { data: text } = useQuery({ ...operatorNotice, enabled: isSetUp })
  const seen = useStored('notice-seen')
  const isNoTime = useRouterState({ select: ({ status, location }) => status === 'pending' || location.pathname === QUIET_PATH })
  const mustWait = useOtherDialog('[data-notice]') || isNoTime
  const isWithdrawn = text === '' && seen !== undefined
  useEffect(() => {
    // The same text may come back later, and is then new again.
    if (isWithdrawn) storage.remove('notice-seen')
  }, [isWithdrawn])
  if (text === undefined || text.trim() === '' || text === seen || mustWait) return null
  return <NoticeDialog text={text} onClose={() => storage.set('notice-seen', text)} />
}
