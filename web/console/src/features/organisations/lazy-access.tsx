import { Skeleton } from '@chakra-ui/react'
import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react'
import type { AccessPanels as LoadedPanels } from './access.tsx'
import type { ProviderNeeded as LoadedNeeded } from './provider-needed.tsx'

const Panels = lazy(async () => ({ default: (await import('./access.tsx')).AccessPanels }))
const Needed = lazy(async () => ({ default: (await import('./provider-needed.tsx')).ProviderNeeded }))

const waiting = <Skeleton height="24" />

/** How people become members, fetched for those who may see it. */
export function AccessPanels(props: ComponentProps<typeof LoadedPanels>): ReactNode {
  return (
    <Suspense fallback={waiting}>
      <Panels {...props} />
    </Suspense>
  )
}

/** The way in where another sign-in is required, fetched there. */
export function ProviderNeeded(props: ComponentProps<typeof LoadedNeeded>): ReactNode {
  return (
    <Suspense fallback={waiting}>
      <Needed {...props} />
    </Suspense>
  )
}
