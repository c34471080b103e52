import { Flex } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'
import { isRoot, useUser } from '../../lib/session.ts'
import { useStored } from '../../lib/storage.ts'
import { homeContent } from './api.ts'
import { readHomeContent } from './content.ts'
import { Landing } from './landing.tsx'

const OperatorContent = lazy(async () => ({ default: (await import('./operator-content.tsx')).OperatorContent }))
const Checklist = lazy(async () => ({ default: (await import('./checklist.tsx')).Checklist }))

/** `/`: root's checklist until it is put away, then what the operator wrote, or our own page. */
export function HomePage(): ReactNode {
  const user = useUser()
  const isHidden = useStored('checklist-hidden') ?? false
  const { data } = useQuery(homeContent)
  const content = readHomeContent(data ?? '')
  if (isRoot(user) && !isHidden)
    return (
      <Suspense fallback={<Flex flex="1" />}>
        <Checklist />
      </Suspense>
    )
  if (content.kind === 'none') return <Landing />
  return (
    <Suspense fallback={<Flex flex="1" />}>
      <OperatorContent content={content} />
    </Suspense>
  )
}
