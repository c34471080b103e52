import { Button, chakra } from '@chakra-ui/react'
import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from './section.tsx'
import { relatedSearches } from './related-searches.ts'
import type { LogSearch } from './search.ts'

type Props = { readonly explained: LogExplanation; readonly isAdmin: boolean; readonly onSearch: (search: LogSearch) => void }

/** Other entries of the same token, channel, user, session or error. */
export function Related({ explained, isAdmin, onSearch }: Props): ReactNode {
  const { t } = useTranslation('logs')
  const links = relatedSearches(explained, isAdmin)
  if (links.length === 0) return null
  return (
    <Section title={t('explain.related')}>
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        {links.map(({ of, search }) => (
          <Button key={of} size="xs" variant="outline" onClick={() => onSearch(search)}>
            {t(`explain.of-${of}`)}
          </Button>
        ))}
      </chakra.div>
    </Section>
  )
}
