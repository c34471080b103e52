import { Skeleton } from '@chakra-ui/react'
import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react'
import { loadTexts } from '../../i18n/start.ts'
import type { Budgets as LoadedBudgets } from './budgets.tsx'

const Loaded = lazy(async () => {
  const [{ Budgets: component }] = await Promise.all([import('./budgets.tsx'), loadTexts('budgets')])
  return { default: component }
})

/** Budgets with their texts, fetched when they are shown: lists open without them. */
export function Budgets(props: ComponentProps<typeof LoadedBudgets>): ReactNode {
  return (
    <Suspense fallback={<Skeleton height="10" />}>
      <Loaded {...props} />
    </Suspense>
  )
}
