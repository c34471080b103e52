import { chakra, Heading } from '@chakra-ui/react'
import type { KnownPriceChange, PriceChangeLine } from '@tollgate/contracts/resources/pricing'
import { utcDay } from '@tollgate/contracts/values/utc-day'
import { timeText } from '@tollgate/domain/display/time-text'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dollarText } from '../../../lib/dollar-text.ts'

/** Which prices of the model change soon: when, by whom, and from which figure to which. */
export function ComingPrices({ changes }: { readonly changes: readonly KnownPriceChange[] }): ReactNode {
  const { t } = useTranslation('channel-forecast')
  const title = useId()
  return (
    <chakra.section borderWidth="1px" borderColor="warning.border" bg="warning.subtle" borderRadius="control" p="3">
      <Heading as="h3" id={title} textStyle="sm" color="text.strong">
        {t('coming-prices')}
      </Heading>
      <chakra.ul aria-labelledby={title} listStyleType="none" my="2" display="flex" flexDirection="column" gap="2">
        {changes.map((change) => (
          <Change key={`${change.at} ${change.origin}`} change={change} />
        ))}
      </chakra.ul>
      <chakra.p textStyle="xs" color="text.muted">
        {t('coming-help')}
      </chakra.p>
    </chakra.section>
  )
}

function Change({ change: { at, origin, lines } }: { readonly change: KnownPriceChange }): ReactNode {
  const { t } = useTranslation('channel-forecast')
  return (
    <chakra.li>
      <chakra.div display="flex" flexWrap="wrap" columnGap="3">
        <chakra.span color="text.strong" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {origin === 'catalogue' ? t('coming-day', { day: utcDay(at) }) : timeText(at)}
        </chakra.span>
        <chakra.span color="text.muted">{t(`coming-origin.${origin}`)}</chakra.span>
      </chakra.div>
      {lines.length === 0 ? t('coming-bands') : null}
      <chakra.div display="flex" flexWrap="wrap" columnGap="4">
        {lines.map((line) => (
          <Line key={line.line} line={line} />
        ))}
      </chakra.div>
    </chakra.li>
  )
}

function Line({ line: { line, before, after } }: { readonly line: PriceChangeLine }): ReactNode {
  const { t } = useTranslation(['channel-forecast', 'pricing'])
  return (
    <chakra.span whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
      {line === 'each' ? t('each') : t(`pricing:class.${line}`)} {t('coming-change', { before: text(before), after: text(after) })}
    </chakra.span>
  )
}

const text = (dollars: number | null): string => (dollars === null ? '–' : dollarText(dollars))
