import { chakra, Table } from '@chakra-ui/react'
import type { LineItem, Quote } from '@tollgate/contracts/pricing/quote'
import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import { groupDigits } from '@tollgate/domain/display/count-text'
import type { Decimal } from '@tollgate/domain/pricing/decimal'
import { dollarsOf } from '@tollgate/domain/pricing/format'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { TableFrame } from '../../ui/display/table-frame.tsx'
import { knownFactor } from './explanation-view.ts'
import { costText, moneyFormula, priceText, toMoneyLines, UNITS, type MoneyLine } from './money-lines.ts'
import { Section } from './section.tsx'

/** The charge in money, line by line: amount × price × group = dollars, with the ratios below each price, and the price version. */
export function PriceLines({ explained }: { explained: LogExplanation }): ReactNode {
  const { t } = useTranslation('logs')
  const { quote, usage, charge, log } = explained
  if (quote === null || usage === null || charge === null) return null
  const isUnpriced = quote.mode === 'ratio' && quote.is_unpriced
  const lines = toMoneyLines(charge, quote)
  const charged = dollarsOf(charge.charge, quote.quota_per_unit)
  const isCorrection = log.state === 'late'
  return (
    <Section title={t('explain.price')} help={t('explain.price-help')}>
      <TableFrame label={t('explain.price')}>
        <Table.Root size="sm" css={{ '& th, & td': { px: { base: '1.5', sm: '3' } } }}>
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader>{t('explain.line')}</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">{t('explain.tokens')}</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">{t('explain.unit-price')}</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">{t('explain.group')}</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">{t('explain.cost')}</Table.ColumnHeader>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {lines.map((line, index) => (
              <PriceLine key={`${line.line.kind}-${index}`} money={line} />
            ))}
            <Table.Row fontWeight="semibold">
              <Table.Cell color="text.strong" colSpan={4}>
                {t('explain.total')}
              </Table.Cell>
              <Table.Cell textAlign="end" color="text.strong" whiteSpace="nowrap">
                <Cost usd={charged} quota={groupDigits(charge.charge)} />
              </Table.Cell>
            </Table.Row>
          </Table.Body>
        </Table.Root>
      </TableFrame>
      <chakra.div display="flex" flexDirection="column" gap="1" textStyle="xs" color="text.muted">
        <chakra.p fontFamily="mono" color="text" overflowWrap="anywhere">
          {moneyFormula(lines, charged)}
        </chakra.p>
        <chakra.p>{t(`explain.${formulaOf(quote)}`, { unit: groupDigits(quote.quota_per_unit) })}</chakra.p>
        {isCorrection ? <chakra.p>{t('explain.correction')}</chakra.p> : null}
        {charge.card_above === undefined ? null : <chakra.p>{t('explain.card', { above: groupDigits(charge.card_above) })}</chakra.p>}
        {quote.user_group === undefined ? null : <chakra.p>{t('explain.user-group', { group: quote.user_group })}</chakra.p>}
        {quote.group_model === undefined ? null : (
          <chakra.p>{t('explain.group-model', { group: quote.group, entry: quote.group_model })}</chakra.p>
        )}
        <chakra.p display="flex" gap="2" alignItems="center">
          {t('explain.price-version', { version: quote.price_version })}
          {isUnpriced ? <ToneTag tone="yellow">{t('explain.price-unpriced')}</ToneTag> : null}
        </chakra.p>
      </chakra.div>
    </Section>
  )
}

function formulaOf(quote: Quote): 'formula' | 'formula-price' | 'formula-video' {
  if (quote.mode === 'ratio') return 'formula'
  return quote.seconds === undefined ? 'formula-price' : 'formula-video'
}

/** Dollars, and the quota that they are on hover. */
function Cost({ usd, quota }: { usd: Decimal; quota: string }): ReactNode {
  const { t } = useTranslation('logs')
  return (
    <chakra.span fontVariantNumeric="tabular-nums" data-hint={t('explain.in-quota', { quota })}>
      {costText(usd)}
    </chakra.span>
  )
}

/** A tool's name may break after each of its parts. */
const breakable = (label: string): string => label.replaceAll(/[/_]/g, '$&\u200B')

/** Tokens, or what the line counts instead; both where seconds were turned into tokens. */
function shownAmount({ amount, price, line: { tokens, count } }: MoneyLine): string {
  if (amount === undefined) return ''
  if (tokens === undefined || count === undefined) return `${groupDigits(amount)}${UNITS[price?.per ?? 'call'][0]}`
  return `${groupDigits(count)} → ${groupDigits(tokens)}`
}

function PriceLine({ money }: { money: MoneyLine }): ReactNode {
  const { t } = useTranslation('logs')
  const { line, price, group } = money
  return (
    <>
      <Table.Row
        css={{
          '& td': line.factors.length === 0 ? {} : { borderBottomWidth: '0', verticalAlign: 'top', height: 'auto', pt: '2', pb: '0' },
        }}
      >
        <Table.Cell whiteSpace={{ base: 'normal', sm: 'nowrap' }}>
          {t(price?.per === 'second' ? 'price-line.video-second' : `price-line.${line.kind}`)}
          {line.label === undefined ? null : (
            <chakra.span display="block" color="text.muted" textStyle="xs" whiteSpace="normal">
              {breakable(line.label)}
            </chakra.span>
          )}
        </Table.Cell>
        <Table.Cell textAlign="end" fontVariantNumeric="tabular-nums" whiteSpace={{ base: 'normal', sm: 'nowrap' }}>
          {shownAmount(money)}
        </Table.Cell>
        <Table.Cell textAlign="end" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {price === undefined ? null : (
            <>
              {priceText(price.usd)}
              <chakra.span color="text.muted" textStyle="xs">
                {UNITS[price.per][1]}
              </chakra.span>
            </>
          )}
        </Table.Cell>
        <Table.Cell textAlign="end" whiteSpace="nowrap">
          {group === undefined ? null : `× ${group}`}
        </Table.Cell>
        <Table.Cell textAlign="end" whiteSpace="nowrap">
          <Cost usd={money.usd} quota={quotaOf(line)} />
        </Table.Cell>
      </Table.Row>
      {line.factors.length === 0 ? null : (
        <Table.Row css={{ '& td': { height: 'auto', pt: '0.5', pb: '2' } }}>
          <Table.Cell colSpan={5} color="text.muted" textStyle="xs">
            {line.factors.map((factor) => (
              <Factor key={factor.name} {...factor} />
            ))}
            {t('explain.equals-quota', { quota: quotaOf(line) })}
          </Table.Cell>
        </Table.Row>
      )}
    </>
  )
}

function Factor({ name, value }: LineItem['factors'][number]): ReactNode {
  const { t } = useTranslation('logs')
  const known = knownFactor(name)
  return (
    <chakra.span me="2" display="inline-block">
      {`× ${value} ${known === undefined ? name : t(`factor.${known}`)}`}
    </chakra.span>
  )
}

/** The quota of a line, with its decimals. */
function quotaOf({ quota }: LineItem): string {
  const [whole = '0', fraction] = quota.replace('-', '').split('.')
  return `${quota.startsWith('-') ? '-' : ''}${groupDigits(Number(whole))}${fraction === undefined ? '' : `.${fraction}`}`
}
