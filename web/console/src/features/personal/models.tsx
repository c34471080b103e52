import { Button, Flex, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ownModels } from '../../lib/own-account.ts'
import { failureText } from '../../lib/report.ts'
import { storage, useStored } from '../../lib/storage.ts'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { ErrorState } from '../../ui/page/states.tsx'

/** As many as the specification shows at first. */
const COLLAPSED = 10

/** The models that the caller's groups offer; folded after the first ten, which is remembered. */
export function Models(): ReactNode {
  const { t } = useTranslation('personal')
  const models = useQuery({ ...ownModels, meta: { quiet: true } })
  const isExpanded = useStored('models-expanded') === true
  const names = models.data ?? []
  const shown = isExpanded ? names : names.slice(0, COLLAPSED)
  return (
    <Panel title={t('models')} help={models.data === undefined ? undefined : t('models-count', { count: names.length })}>
      {models.error === null ? null : <ErrorState message={failureText(models.error) ?? ''} onRetry={() => void models.refetch()} />}
      {models.isPending ? <Skeleton height="6" /> : null}
      {models.data !== undefined && names.length === 0 ? <Text color="text.muted">{t('models-none')}</Text> : null}
      <Flex wrap="wrap" gap="1.5" align="center">
        {shown.map((name) => (
          <Flex key={name} px="2" py="0.5" bg="subtle" borderRadius="sm" maxW="full">
            <CopyId text={name} />
          </Flex>
        ))}
        {names.length > COLLAPSED ? (
          <Button size="xs" variant="ghost" aria-expanded={isExpanded} onClick={() => storage.set('models-expanded', !isExpanded)}>
            {isExpanded ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
            {isExpanded ? t('models-fewer') : t('models-all', { count: names.length })}
          </Button>
        ) : null}
      </Flex>
    </Panel>
  )
}
