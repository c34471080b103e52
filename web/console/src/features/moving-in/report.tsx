import { Alert, chakra, List, Stack, Text } from '@chakra-ui/react'
import { importCodeText, importDetailText, IMPORT_KIND_TEXTS } from '@tollgate/contracts/moving-in/texts'
import { IMPORT_KINDS } from '@tollgate/contracts/moving-in/records'
import { groupSamples, type ImportItem, type ImportSum } from '@tollgate/contracts/moving-in/report'
import type { ImportReason, ShownReport } from '@tollgate/contracts/resources/imports'
import type { Quota } from '@tollgate/contracts/units'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { exactQuotaText, quotaText, type QuotaKind } from '@tollgate/domain/display/quota-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FactTable } from '../../ui/display/fact-table.tsx'
import { useQuotaStyle } from '../../ui/display/quota-text.tsx'
import { FoldSection } from '../../ui/form/fold-section.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { isOfSettings, SettingsChoice, type KeptSettings } from './settings-choice.tsx'
import { useTextLanguage } from './text-language.ts'

const COUNTS = ['read', 'created', 'updated', 'same', 'skipped', 'refused'] as const
const MODELS_SHOWN = 50

/** Result of a run or dry run: counts, sums, decisions, what stays behind, and prices. With `kept`, settings can be left out. */
export function Report({ report, kept }: { readonly report: ShownReport; readonly kept: KeptSettings | undefined }): ReactNode {
  const { t } = useTranslation('moving-in')
  const perUnit = report.quota_per_unit
  return (
    <>
      <Counts report={report} />
      <Reasons title={t('report.decisions')} reasons={report.decisions} perUnit={perUnit} isOpen />
      {kept === undefined ? null : <SettingsChoice reasons={report.changed} kept={kept} />}
      <Reasons title={t('report.refused-title')} reasons={report.refused} perUnit={perUnit} isOpen />
      <Reasons
        title={t('report.changed')}
        perUnit={perUnit}
        reasons={kept === undefined ? report.changed : report.changed.filter((reason) => !isOfSettings(reason))}
      />
      <Prices report={report} />
    </>
  )
}

function Counts({ report }: { readonly report: ShownReport }): ReactNode {
  const { t } = useTranslation('moving-in')
  const language = useTextLanguage()
  const { counts, sums, is_complete, is_dry_run, quota_per_unit: perUnit } = report
  const kinds = IMPORT_KINDS.flatMap((kind) => {
    const count = counts[kind]
    return count === undefined || count.read === 0 ? [] : [{ kind, ...count }]
  })
  const verdict = t(`report.${is_complete ? 'complete' : 'incomplete'}${is_dry_run ? '' : '-real'}`)
  return (
    <Panel title={t('report.title')} help={`${report.family} ${report.generation} · ${report.store}`}>
      <Stack gap="4">
        <Alert.Root status={is_complete ? 'success' : 'warning'}>
          <Alert.Indicator />
          <Alert.Content>
            <Alert.Description>{is_dry_run ? `${verdict} ${t('report.dry')}` : verdict}</Alert.Description>
          </Alert.Content>
        </Alert.Root>
        <FactTable
          label={t('report.title')}
          rows={kinds}
          idOf={({ kind }) => kind}
          columns={[
            { id: 'kind', header: t('report.kind'), cell: ({ kind }) => IMPORT_KIND_TEXTS[kind][language] },
            ...COUNTS.filter((id) => id === 'read' || id === 'created' || kinds.some((row) => row[id] > 0)).map((id) => ({
              id,
              header: t(`report.${id}`),
              align: 'end' as const,
              cell: (row: (typeof kinds)[number]) => groupDigits(row[id]),
            })),
          ]}
        />
        {sums.length === 0 ? null : (
          <FactTable
            label={t('report.sums')}
            rows={sums}
            idOf={({ name }) => name}
            columns={[
              { id: 'name', header: t('report.sums'), cell: ({ name }) => sumName(name, t) },
              {
                id: 'there',
                header: t('report.there'),
                align: 'end',
                cell: (sum) => <SumText sum={sum} side="source" perUnit={perUnit} />,
              },
              {
                id: 'here',
                header: t('report.here'),
                align: 'end',
                cell: (sum) => (
                  <chakra.span {...(sum.source === sum.target ? {} : { color: 'danger.fg', fontWeight: 'medium' })}>
                    <SumText sum={sum} side="target" perUnit={perUnit} />
                  </chakra.span>
                ),
              },
            ]}
          />
        )}
      </Stack>
    </Panel>
  )
}

/** An amount of the source in its own unit: before the run, the site may have another. */
function Money({ quota, perUnit, kind }: { readonly quota: Quota; readonly perUnit: number; readonly kind: QuotaKind }): ReactNode {
  const style = { ...useQuotaStyle(), quota_per_unit: perUnit }
  return (
    <chakra.span data-hint={exactQuotaText(quota, style)} fontVariantNumeric="tabular-nums">
      {quotaText(quota, kind, style)}
    </chakra.span>
  )
}

type SumProps = { readonly sum: ImportSum; readonly side: 'source' | 'target'; readonly perUnit: number }

/** Sums that differ are shown to the unit: rounded, they could read alike. */
function SumText({ sum, side, perUnit }: SumProps): ReactNode {
  return sum.source === sum.target ? (
    <Money quota={sum[side]} perUnit={perUnit} kind="total" />
  ) : (
    exactQuotaText(sum[side], { display_in_currency: true, quota_per_unit: perUnit })
  )
}

type Translate = ReturnType<typeof useTranslation<'moving-in'>>['t']

function sumName(name: string, t: Translate): string {
  return name === 'users_quota' || name === 'users_used' || name === 'channels_used' ? t(`report.sum.${name}`) : name
}

type ReasonsProps = {
  readonly title: string
  readonly reasons: readonly ImportReason[]
  readonly perUnit: number
  readonly isOpen?: boolean
}

/** A row by its name, if it has one, and its place in the source. */
function Row({ item, perUnit }: { readonly item: ImportItem; readonly perUnit: number }): ReactNode {
  const language = useTextLanguage()
  const { at, name, quota } = item
  const detail = importDetailText(item, language)
  return (
    <>
      {name === undefined ? null : `${name} `}
      <chakra.code textStyle="xs" color={name === undefined ? undefined : 'text.muted'}>
        {at}
      </chakra.code>
      {detail === '' ? null : <chakra.span color="text.muted"> {detail}</chakra.span>}
      {quota === undefined ? null : (
        <>
          {' '}
          <Money quota={quota} perUnit={perUnit} kind="total" />
        </>
      )}
    </>
  )
}

/** Rows by reason; those that need a person are open. */
function Reasons({ title, reasons, perUnit, isOpen = false }: ReasonsProps): ReactNode {
  const { t } = useTranslation('moving-in')
  const language = useTextLanguage()
  if (reasons.length === 0) return null
  return (
    <Panel title={title}>
      <Stack gap="4">
        {reasons.map(({ code, count, items }) => (
          <FoldSection key={code} title={`${importCodeText(code, language)} (${groupDigits(count)})`} isNeeded={isOpen && count <= 10}>
            <List.Root ps="5" gap="1">
              {items.map((item) => (
                <List.Item key={`${item.kind} ${item.at} ${item.detail}`} overflowWrap="anywhere">
                  <Row item={item} perUnit={perUnit} />
                </List.Item>
              ))}
            </List.Root>
            {count > items.length ? <Text color="text.muted">{t('report.more', { count: count - items.length })}</Text> : null}
          </FoldSection>
        ))}
      </Stack>
    </Panel>
  )
}

/** One or several, which break into lines: the cells of the table do not. */
function Models({ models }: { readonly models: readonly string[] }): ReactNode {
  return (
    <chakra.span display="inline-block" minW={{ base: '12rem', md: '20rem' }} whiteSpace="normal" overflowWrap="anywhere">
      {models.join(', ')}
    </chakra.span>
  )
}

function Prices({ report: { prices, samples, quota_per_unit: perUnit } }: { readonly report: ShownReport }): ReactNode {
  const { t } = useTranslation('moving-in')
  if (prices.length === 0 && samples.compared === 0) return null
  const number = (value: number | null): string => (value === null ? '–' : String(value))
  const shown = prices.slice(0, MODELS_SHOWN)
  return (
    <Panel title={t('report.prices')}>
      <Stack gap="4">
        {samples.compared === 0 ? null : <Text>{t('report.prices-equal', { equal: samples.equal, compared: samples.compared })}</Text>}
        {samples.different.length === 0 ? null : (
          <FactTable
            label={t('report.prices')}
            rows={groupSamples(samples.different)}
            idOf={(row) => JSON.stringify(row)}
            columns={[
              { id: 'model', header: t('report.model'), cell: ({ models }) => <Models models={models} /> },
              { id: 'prompt', header: t('report.prompt'), align: 'end', cell: (row) => groupDigits(row.prompt_tokens) },
              { id: 'cached', header: t('report.cached'), align: 'end', cell: (row) => groupDigits(row.cached_tokens) },
              { id: 'completion', header: t('report.completion'), align: 'end', cell: (row) => groupDigits(row.completion_tokens) },
              {
                id: 'charged',
                header: t('report.charged'),
                align: 'end',
                cell: (row) => <Money quota={row.charged} perUnit={perUnit} kind="charge" />,
              },
              {
                id: 'here',
                header: t('report.charged-here'),
                align: 'end',
                cell: ({ here }) => (here === null ? '–' : <Money quota={here} perUnit={perUnit} kind="charge" />),
              },
            ]}
          />
        )}
        {prices.length === 0 ? null : (
          <FactTable
            label={t('report.model')}
            rows={shown}
            idOf={({ model }) => model}
            columns={[
              { id: 'model', header: t('report.model'), cell: ({ model }) => model },
              { id: 'from', header: t('report.from'), cell: ({ from }) => t(`report.sources.${from}`) },
              { id: 'ratio', header: t('report.ratio'), align: 'end', cell: ({ model_ratio }) => number(model_ratio) },
              { id: 'answer', header: t('report.answer'), align: 'end', cell: ({ completion_ratio }) => number(completion_ratio) },
              { id: 'call', header: t('report.call'), align: 'end', cell: ({ model_price }) => number(model_price) },
            ]}
          />
        )}
        {prices.length > shown.length ? (
          <Text color="text.muted">{t('report.models-more', { count: prices.length - shown.length })}</Text>
        ) : null}
      </Stack>
    </Panel>
  )
}
