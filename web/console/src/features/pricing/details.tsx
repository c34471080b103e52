import { chakra, Flex, Stack, Table, Text } from '@chakra-ui/react'
import type { PriceWindow } from '@tollgate/contracts/pricing/price-hours'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import { ratioText } from '@tollgate/domain/display/ratio-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { promptTokensOf } from '@tollgate/domain/pricing/ratios'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { clientAddress } from '../../lib/client-address.ts'
import { useSiteStatus } from '../../lib/status.ts'
import { ClientSnippets } from '../../ui/display/client-snippets.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { BillingType, Prices } from './parts.tsx'
import { endpointSnippet } from './snippet.ts'
import { dollarText } from '../../lib/dollar-text.ts'
import {
  callPriceText,
  costLabel,
  classPrices,
  quoteIn,
  quoteWithin,
  ratioIn,
  rowAfter,
  shownQuote,
  usageOf,
  type Prompt,
  type Shown,
  type ModelRow,
} from './price-rows.ts'

type RowProps = { readonly row: ModelRow; readonly shown: Shown }
type DetailsProps = RowProps & { readonly prompt: Prompt | undefined; readonly onClose: () => void }

/** The details of one model: prices of each class, of long prompts and of each group, the cost of the prompt, a first call. */
export function ModelDetails({ row, shown, prompt, onClose }: DetailsProps): ReactNode {
  const { t } = useTranslation('pricing')
  return (
    <DetailDrawer title={row.model_name} size="lg" onClose={onClose}>
      <Stack gap="6">
        <Facts row={row} shown={shown} prompt={prompt} />
        {row.hasNoPrice === true ? (
          <Text>{t('no-price-help')}</Text>
        ) : (
          <>
            {row.is_unpriced === true ? <Text color="warning.fg">{t('default-ratio')}</Text> : null}
            <PriceTables row={row} shown={shown} prompt={prompt} />
            {(row.coming ?? []).map((next) => (
              <Block key={next.at} title={t('coming-title', { date: timeText(next.at) })}>
                <Prices row={rowAfter(row, next)} shown={shown} />
              </Block>
            ))}
            {row.price_hours === undefined ? null : (
              <Block title={t('detail.hours')}>
                <HoursTable row={row} shown={shown} windows={row.price_hours} />
              </Block>
            )}
            <Block title={t('detail.groups')}>
              <GroupTable row={row} shown={shown} />
            </Block>
            <Text textStyle="xs" color="text.muted">
              {t('detail.reference')}
            </Text>
            <FirstCall row={row} />
          </>
        )}
      </Stack>
    </DetailDrawer>
  )
}

function Block({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <chakra.section>
      <chakra.h3 textStyle="section" color="text.strong" mb="2">
        {title}
      </chakra.h3>
      {children}
    </chakra.section>
  )
}

function Facts({ row, shown, prompt }: RowProps & { readonly prompt: Prompt | undefined }): ReactNode {
  const { t } = useTranslation('pricing')
  const { vendor, supported_endpoint_types: endpoints } = row
  return (
    <FactsList>
      <Fact name={t('detail.vendor')}>{vendor === '' ? t('other-vendor') : vendor}</Fact>
      <Fact name={t('column.type')}>
        <BillingType row={row} />
      </Fact>
      <Fact name={t('detail.endpoints')}>
        {endpoints.length === 0 ? (
          t('detail.no-endpoint')
        ) : (
          <Flex gap="1" wrap="wrap">
            {endpoints.map((type) => (
              <ToneTag key={type} tone="grey">
                {t(`endpoint.${type}`)}
              </ToneTag>
            ))}
          </Flex>
        )}
      </Fact>
      {prompt === undefined ? null : <Fact name={t('column.cost')}>{costLabel(row, shown, prompt)}</Fact>}
    </FactsList>
  )
}

/** The normal prices, and those of each length of prompt; the ones that the calculator's prompt reaches are marked. */
function PriceTables({ row, shown, prompt }: RowProps & { readonly prompt: Prompt | undefined }): ReactNode {
  const { t } = useTranslation('pricing')
  const quote = shownQuote(row, shown)
  const title = t('detail.prices', { group: shown.group })
  if (quote.mode === 'price')
    return (
      <Block title={title}>
        <Text fontVariantNumeric="tabular-nums">
          {t(callPriceText(row), { price: dollarText(quote.model_price * quote.group_ratio), seconds: row.per_seconds ?? 1 })}
        </Text>
      </Block>
    )
  const length = prompt === undefined ? 0 : promptTokensOf(usageOf(prompt))
  const lengths = [0, ...(row.price_cards ?? []).map(({ above }) => above)]
  const reached = lengths.findLast((above) => length > above || above === 0)
  return lengths.map((above) => (
    <Block key={above} title={above === 0 ? title : t('detail.above', { tokens: above.toLocaleString('en-US') })}>
      <Table.Root size="sm" {...(lengths.length > 1 && prompt !== undefined && above !== reached ? { opacity: '0.6' } : {})}>
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeader>{t('detail.item')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('detail.ratio')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">
              {t(row.unit === undefined ? 'detail.dollars' : 'detail.dollars-characters')}
            </Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {classPrices(row, quote, above === 0 ? 0 : above + 1).map(({ name, label, ratio, dollars }) => (
            <Table.Row key={name}>
              <Table.Cell>{t(`class.${label}`)}</Table.Cell>
              <Table.Cell textAlign="end" fontVariantNumeric="tabular-nums">
                {ratioText(ratio)}
              </Table.Cell>
              <Table.Cell textAlign="end" fontVariantNumeric="tabular-nums" color="text.strong">
                {dollarText(dollars)}
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </Block>
  ))
}

/** Days that follow each other as their ends. */
function daysText(days: readonly number[], nameOf: (day: number) => string): string {
  const [first = 1] = days
  const isRun = days.length > 2 && days.every((day, index) => day === first + index)
  return isRun ? `${nameOf(first)}–${nameOf(days.at(-1) ?? first)}` : days.map(nameOf).join(' ')
}

/** Prices of input and output within hours of another price; other hours cost what the tables above say. */
function HoursTable({ row, shown, windows }: RowProps & { readonly windows: readonly PriceWindow[] }): ReactNode {
  const { t, i18n } = useTranslation('pricing')
  const day = new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' })
  const dayName = (number: number): string => day.format(Date.UTC(2024, 0, number))
  return (
    <Table.Root size="sm">
      <Table.Body>
        {windows.map((window) => {
          const { days, from, to } = window
          const quote = quoteWithin(row, shown, window)
          const usage = { ...ZERO_USAGE, source: 'upstream' as const }
          const dollars = (tokens: Partial<Usage>): string =>
            dollarText(Number((quotaOf(quote, { ...usage, ...tokens }) / shown.quotaPerUnit).toPrecision(6)))
          const isCall = quote.mode === 'price'
          return (
            <Table.Row key={`${days?.join('') ?? ''} ${from}`}>
              <Table.Cell>
                {days === undefined ? t('detail.daily') : daysText(days, dayName)} {from}–{to}
              </Table.Cell>
              <Table.Cell textAlign="end" fontVariantNumeric="tabular-nums" color="text.strong" whiteSpace="nowrap">
                {isCall ? dollars({}) : `${dollars({ text_in: 1_000_000 })} / ${dollars({ text_out: 1_000_000 })}`}
              </Table.Cell>
            </Table.Row>
          )
        })}
      </Table.Body>
    </Table.Root>
  )
}

function GroupTable({ row, shown }: RowProps): ReactNode {
  const { t } = useTranslation('pricing')
  const groups = row.enable_groups.filter((group) => shown.groups.has(group))
  const isByCall = row.quota_type === 1
  const isByCharacter = row.unit === 'character'
  if (groups.length === 0) return <Text color="text.muted">{t('group.none')}</Text>
  return (
    <Table.Root size="sm">
      <Table.Header>
        <Table.Row>
          <Table.ColumnHeader>{t('filter.group')}</Table.ColumnHeader>
          <Table.ColumnHeader textAlign="end">{t('detail.ratio')}</Table.ColumnHeader>
          <Table.ColumnHeader textAlign="end">
            {t(isByCall ? 'detail.call' : `class.${isByCharacter ? 'characters' : 'input'}`)}
          </Table.ColumnHeader>
          {isByCall || isByCharacter ? null : <Table.ColumnHeader textAlign="end">{t('class.output')}</Table.ColumnHeader>}
        </Table.Row>
      </Table.Header>
      <Table.Body>
        {groups.map((group) => {
          const ratio = ratioIn(row, shown, group)
          const quote = quoteIn(row, shown, group, ratio)
          const prices =
            quote.mode === 'price'
              ? [quote.model_price * ratio]
              : classPrices(row, quote)
                  .slice(0, 2)
                  .map(({ dollars }) => dollars)
          return (
            <Table.Row key={group}>
              <Table.Cell>{group}</Table.Cell>
              <Table.Cell textAlign="end">{ratioText(ratio)}</Table.Cell>
              {prices.map((price, index) => (
                <Table.Cell key={index} textAlign="end" fontVariantNumeric="tabular-nums" color="text.strong">
                  {dollarText(price)}
                </Table.Cell>
              ))}
            </Table.Row>
          )
        })}
      </Table.Body>
    </Table.Root>
  )
}

/** A first call: what each client needs for a model that chats, else one line for a terminal. */
function FirstCall({ row }: { readonly row: ModelRow }): ReactNode {
  const { t } = useTranslation('pricing')
  const address = clientAddress(useSiteStatus()?.server_address, window.location.origin)
  const key = 'sk-…'
  const doesChat = row.supported_endpoint_types.includes('openai')
  const code = endpointSnippet({ address, row, key })
  if (!doesChat && code === undefined) return null
  return (
    <Block title={t('detail.snippet')}>
      <Text textStyle="xs" color="text.muted" mb="2">
        {t('detail.key')}
      </Text>
      {doesChat ? (
        <ClientSnippets values={{ address, key, model: row.model_name }} />
      ) : (
        <CodeBlock code={code ?? ''} label={t('detail.snippet')} />
      )}
    </Block>
  )
}
