import { chakra, Flex, Text } from '@chakra-ui/react'
import type { Ratio } from '@tollgate/contracts/units'
import { ratioText } from '@tollgate/domain/display/ratio-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { RATIO, toneOf } from '@tollgate/domain/display/thresholds'
import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PALETTE_OF_TONE } from '../../ui/display/tone-palette.ts'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { dollarText } from '../../lib/dollar-text.ts'
import { callPriceText, classPrices, isAvailable, ratioIn, rowAfter, shownQuote, type Shown, type ModelRow } from './price-rows.ts'

type PartProps = { readonly row: ModelRow; readonly shown: Shown }

export function Availability({ row, shown }: PartProps): ReactNode {
  const { t } = useTranslation('pricing')
  const isOn = isAvailable(row, shown.group)
  const label = t(isOn ? 'available' : row.hasNoPrice === true ? 'no-price-help' : 'unavailable')
  return (
    <chakra.span role="img" aria-label={label} data-hint={label} color={isOn ? 'success.fg' : 'text.muted'} display="inline-flex">
      {isOn ? <Check size={16} aria-hidden /> : <X size={16} aria-hidden />}
    </chakra.span>
  )
}

/** Marks a model that its maker stops serving soon. */
export function Retirement({ row }: { readonly row: ModelRow }): ReactNode {
  const { t } = useTranslation('pricing')
  if (row.retires === undefined) return null
  const hint = row.successor === undefined ? {} : { hint: t('successor', { name: row.successor }) }
  return (
    <chakra.span ms="1.5">
      <ToneTag tone="orange" {...hint}>
        {t('retires', { date: row.retires })}
      </ToneTag>
    </chakra.span>
  )
}

/** A click copies the name. */
export function ModelName({ row }: { readonly row: ModelRow }): ReactNode {
  const { t } = useTranslation('pricing')
  return (
    <chakra.button
      type="button"
      fontFamily="mono"
      textStyle="xs"
      fontWeight="medium"
      color="text.strong"
      cursor="copy"
      textAlign="start"
      overflowWrap="anywhere"
      borderRadius="xs"
      focusVisibleRing="outside"
      _hover={{ color: 'accent.fg' }}
      data-hint={t('copy-name')}
      onClick={() => void copyText(row.model_name)}
    >
      {row.model_name}
    </chakra.button>
  )
}

export function BillingType({ row }: { readonly row: ModelRow }): ReactNode {
  const { t } = useTranslation('pricing')
  if (row.hasNoPrice === true) return <ToneTag tone="grey">{t('no-price')}</ToneTag>
  return <ToneTag tone={row.quota_type === 1 ? 'lime' : 'blue'}>{t(row.quota_type === 1 ? 'type.call' : 'type.usage')}</ToneTag>
}

type GroupsProps = PartProps & { readonly onGroup: (group: string) => void }

/** The visitor's groups that have the model; a click shows the prices of one. */
export function Groups({ row, shown, onGroup }: GroupsProps): ReactNode {
  const { t } = useTranslation('pricing')
  const usable = row.enable_groups.filter((group) => shown.groups.has(group))
  if (usable.length === 0) return <Text color="text.muted">–</Text>
  return (
    <Flex gap="1" wrap="wrap">
      {usable.map((group) => (
        <chakra.button
          key={group}
          type="button"
          px="1.5"
          borderRadius="sm"
          borderWidth="1px"
          textStyle="xs"
          focusVisibleRing="outside"
          aria-pressed={group === shown.group}
          data-hint={t('group.select', { group })}
          colorPalette={group === shown.group ? 'accent' : 'neutral'}
          borderColor={group === shown.group ? 'colorPalette.border' : 'border'}
          bg={group === shown.group ? 'colorPalette.subtle' : 'transparent'}
          color={group === shown.group ? 'colorPalette.fg' : 'text'}
          _hover={{ borderColor: 'border.strong' }}
          onClick={() => onGroup(group)}
        >
          {group}
        </chakra.button>
      ))}
    </Flex>
  )
}

/** A ratio in the colour of its height. */
function RatioTag({ label, ratio }: { readonly label: string; readonly ratio: Ratio }): ReactNode {
  return (
    <chakra.span display="inline-flex" gap="1" whiteSpace="nowrap" textStyle="xs">
      <chakra.span color="text.muted">{label}</chakra.span>
      <chakra.span colorPalette={PALETTE_OF_TONE[toneOf(RATIO, ratio)]} color="colorPalette.fg" fontVariantNumeric="tabular-nums">
        {ratioText(ratio)}
      </chakra.span>
    </chakra.span>
  )
}

export function Ratios({ row, shown }: PartProps): ReactNode {
  const { t } = useTranslation('pricing')
  return (
    <Flex columnGap="3" rowGap="0.5" wrap="wrap">
      {row.quota_type === 1 || row.hasNoPrice === true ? null : (
        <>
          <RatioTag label={t('ratio-model')} ratio={row.model_ratio} />
          {row.unit === undefined ? <RatioTag label={t('ratio-completion')} ratio={row.completion_ratio} /> : null}
        </>
      )}
      <RatioTag label={t('ratio-group')} ratio={ratioIn(row, shown, shown.group)} />
    </Flex>
  )
}

/** Price of the model in the shown group, and the length from which another one holds. */
export function Prices({ row, shown }: PartProps): ReactNode {
  const { t } = useTranslation('pricing')
  const [next] = row.coming ?? []
  return (
    <>
      <PricesNow row={row} shown={shown} />
      {next === undefined ? null : (
        <Text textStyle="xs" color="warning.fg">
          {t('coming', { date: timeText(next.at).slice(0, 16), price: comingText(rowAfter(row, next), shown) })}
        </Text>
      )}
    </>
  )
}

/** Input and output in short, or the price of a call. */
function comingText(row: ModelRow, shown: Shown): string {
  const quote = shownQuote(row, shown)
  if (quote.mode === 'price') return dollarText(Number((quote.model_price * quote.group_ratio).toPrecision(12)))
  return classPrices(row, quote)
    .slice(0, 2)
    .map(({ dollars }) => dollarText(dollars))
    .join(' / ')
}

function PricesNow({ row, shown }: PartProps): ReactNode {
  const { t } = useTranslation('pricing')
  if (row.hasNoPrice === true)
    return (
      <Text textStyle="xs" color="text.muted">
        {t('no-price-help')}
      </Text>
    )
  const quote = shownQuote(row, shown)
  if (quote.mode === 'price') {
    const price = dollarText(Number((quote.model_price * quote.group_ratio).toPrecision(12)))
    return <Text fontVariantNumeric="tabular-nums">{t(callPriceText(row), { price, seconds: row.per_seconds ?? 1 })}</Text>
  }
  return (
    <chakra.dl display="grid" gridTemplateColumns="max-content 1fr" columnGap="3" rowGap="0" textStyle="xs">
      {classPrices(row, quote).map(({ name, label, dollars }) => (
        <chakra.div key={name} display="contents">
          <chakra.dt color="text.muted">{t(`class.${label}`)}</chakra.dt>
          <chakra.dd fontVariantNumeric="tabular-nums" color="text.strong" whiteSpace="nowrap">
            {t(row.unit === undefined ? 'per-million' : 'per-million-characters', { price: dollarText(dollars) })}
          </chakra.dd>
        </chakra.div>
      ))}
      {row.is_unpriced === true ? (
        <chakra.dd gridColumn="1 / -1" color="warning.fg">
          {t('default-ratio')}
        </chakra.dd>
      ) : null}
      {row.price_hours === undefined ? null : (
        <chakra.dd gridColumn="1 / -1" color="text.muted">
          {t('other-hours')}
        </chakra.dd>
      )}
      {row.price_cards === undefined ? null : (
        <chakra.dd gridColumn="1 / -1" color="text.muted">
          {t('long-prompts')}
        </chakra.dd>
      )}
    </chakra.dl>
  )
}
