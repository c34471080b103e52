import { Button } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerFacts } from './messages.ts'

/** To the explanation of the request; until its entry is written, to the list where it will stand. */
export function WhyLink({ facts: { request_id, charge } }: { readonly facts: AnswerFacts }): ReactNode {
  const { t } = useTranslation('playground')
  if (request_id === undefined) return null
  return (
    <Button asChild size="xs" variant="ghost" color="text.muted">
      <Link to="/log" search={charge === undefined ? { request_id } : { request_id, open: charge.id, at: charge.created_at }}>
        <Scale aria-hidden />
        {t('see-why')}
      </Link>
    </Button>
  )
}
