import { Skeleton } from '@chakra-ui/react'
import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react'
import { loadTexts } from '../../i18n/start.ts'
import type { AccessPanels as LoadedPanels } from './access.tsx'

const Panels = lazy(async () => {
  const [{ AccessPanels: component }] = await Promise.all([import('./access.tsx'), loadTexts('organisation-access')])
  return { default: component }
})

const Domains = lazy(async () => {
  const [{ DomainsPanel: component }] = await Promise.all([import('./domains.tsx'), loadTexts('organisation-access')])
  return { default: component }
})

/** How people become members, fetched for those who may see it. */
export function AccessPanels(props: ComponentProps<typeof LoadedPanels>): ReactNode {
  return (
    <Suspense fallback={<Skeleton height="24" />}>
      <Panels {...props} />
    </Suspense>
  )
}

/** The domains of organisations, fetched for root. */
export function DomainsPanel(): ReactNode {
  return (
    <Suspense fallback={<Skeleton height="24" />}>
      <Domains />
    </Suspense>
  )
}
