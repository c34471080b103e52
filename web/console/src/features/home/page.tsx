import { Flex } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { readOperatorContent } from '../../lib/operator-content.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { useStored } from '../../lib/storage.ts'
import { OperatorContent } from '../../ui/page/operator-content.tsx'
import { homeContent } from './content.ts'
import { Landing } from './landing.tsx'

const Checklist = lazy(async () => ({ default: (await import('./checklist.tsx')).Checklist }))

/** `/`: root's checklist until it is put away, then what the operator wrote, or our own page. */
export function HomePage(): ReactNode {
  const { t } = useTranslation('home')
  const user = useUser()
  const isHidden = useStored('checklist-hidden') ?? false
  const { data } = useQuery(homeContent)
  const content = readOperatorContent(data ?? '')
  if (isRoot(user) && !isHidden)
    return (
      <Suspense fallback={<Flex flex="1" />}>
        <Checklist />
      </Suspense>
    )
  return content.kind === 'none' ? <Landing /> : <OperatorContent content={content} title={t('operator-page')} />
}
