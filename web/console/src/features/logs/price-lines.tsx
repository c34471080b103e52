import { chakra, Table } from '@chakra-ui/react'
import type { LineItem } from '@tollgate/contracts/quote'
import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import { groupDigits } from '@tollgate/domain/display/count-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { formulaNumbers, knownFactor } from './explanation-view.ts'
import { Section } from './section.tsx'

/** The charge line by line: tokens × ratio × ratio, rounding and minimum, with the price version it was read from. */
export function PriceLines({ explained }: { explained: LogExplanation }): ReactNode {
  const { t } = useTranslation('logs')
  const { quote, usage, charge, log } = explained
  if (quote === null || usage === null || charge === null) return null
  const isUnpriced = quote.mode === 'ratio' && quote.is_unpriced
  return (
    <Section title={t('explain.price')} help={t('explain.price-help')}>
      <chakra.div
        borderWidth="1px"
        borderColor="border"
        borderRadius="control"
        overflow="auto"
        tabIndex={0}
        role="region"
        aria-label={t('explain.price')}
        focusVisibleRing="inside"
      >
        <Table.Root size="sm" css={{ '& th, & td': { px: { base: '1.5', sm: '3' } } }}>
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader>{t('explain.line')}</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">{t('explain.tokens')}</Table.ColumnHeader>
              <Table.ColumnHeader>{t('explain.factors')}</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">{t('explain.amount')}</Table.ColumnHeader>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {charge.lines.map((line, index) => (
              <PriceLine key={`${line.kind}-${index}`} line={line} />
            ))}
            <Table.Row fontWeight="semibold">
              <Table.Cell color="text.strong" colSpan={3}>
                {t('explain.total')}
              </Table.Cell>
              <Table.Cell textAlign="end" color="text.strong">
                {groupDigits(log.quota)}{' '}
                <chakra.span color="text.muted" fontWeight="normal">
                  (<QuotaText quota={log.quota} kind="charge" />)
                </chakra.span>
              </Table.Cell>
            </Table.Row>
          </Table.Body>
        </Table.Root>
      </chakra.div>
      <chakra.div display="flex" flexDirection="column" gap="1" textStyle="xs" color="text.muted">
        <chakra.p>
          {quote.mode === 'price'
            ? t('explain.formula-price', { unit: groupDigits(quote.quota_per_unit) })
            : t('explain.formula', { unit: groupDigits(quote.quota_per_unit) })}
        </chakra.p>
        <chakra.p fontFamily="mono" color="text" overflowWrap="anywhere">{`= ${formulaNumbers(charge)}`}</chakra.p>
        {charge.card_above === undefined ? null : <chakra.p>{t('explain.card', { above: groupDigits(charge.card_above) })}</chakra.p>}
        {quote.user_group === undefined ? null : <chakra.p>{t('explain.user-group', { group: quote.user_group })}</chakra.p>}
        <chakra.p display="flex" gap="2" alignItems="center">
          {t('explain.price-version', { version: quote.price_version })}
          {isUnpriced ? <ToneTag tone="yellow">{t('explain.price-unpriced')}</ToneTag> : null}
        </chakra.p>
      </chakra.div>
    </Section>
  )
}

/** A tool's name may break after each of its parts. */
const breakable = (label: string): string => label.replaceAll(/[/_]/g, '$&\u200B')

/** Tokens, or what the line counts instead; both where seconds were turned into tokens. */
function shownAmount({ tokens, count }: LineItem): string {
  if (tokens === undefined && count === undefined) return ''
  if (tokens === undefined || count === undefined) return groupDigits(tokens ?? count ?? 0)
  return `${groupDigits(count)} → ${groupDigits(tokens)}`
}

function PriceLine({ line }: { line: LineItem }): ReactNode {
  const { t } = useTranslation('logs')
  return (
    <Table.Row>
      <Table.Cell whiteSpace={{ base: 'normal', sm: 'nowrap' }}>
        {t(`price-line.${line.kind}`)}
        {line.label === undefined ? null : (
          <chakra.span display="block" color="text.muted" textStyle="xs" whiteSpace="normal">
            {breakable(line.label)}
          </chakra.span>
        )}
      </Table.Cell>
      <Table.Cell textAlign="end" whiteSpace={{ base: 'normal', sm: 'nowrap' }}>
        {shownAmount(line)}
      </Table.Cell>
      <Table.Cell>
        {line.factors.map((factor) => {
          const known = knownFactor(factor.name)
          return (
            <chakra.span key={factor.name} me="2" display="inline-block" whiteSpace={{ base: 'normal', sm: 'nowrap' }}>
              {'× '}
              {factor.value}{' '}
              <chakra.span color="text.muted" textStyle="xs">
                {known === undefined ? factor.name : t(`factor.${known}`)}
              </chakra.span>
            </chakra.span>
          )
        })}
      </Table.Cell>
      <Table.Cell textAlign="end" whiteSpace="nowrap">
        {line.quota}
      </Table.Cell>
    </Table.Row>
  )
}
