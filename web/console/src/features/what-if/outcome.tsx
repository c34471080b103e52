import { Alert, Button, Flex, List, Stack, Tabs, Text } from '@chakra-ui/react'
import type { WhatIfPresent, WhatIfReport, WhatIfResult, WhatIfSums } from '@tollgate/contracts/resources/what-if'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { quotaText } from '@tollgate/domain/display/quota-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart } from '../../ui/chart/chart.tsx'
import { percentDone, ProgressLine } from '../../ui/display/progress-line.tsx'
import { useQuotaStyle } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { useCancel } from './api.ts'
import { ApplyButton } from './apply.tsx'
import { Lines } from './lines.tsx'
import { MEASURES, measureOf, useMeasureText, type Measure } from './measures.ts'

type OutcomeProps = { readonly report: WhatIfReport; readonly present: WhatIfPresent }

/** Progress or result of one run. */
export function Outcome({ report, present }: OutcomeProps): ReactNode {
  const { t } = useTranslation('what-if')
  const { id, state, since, until, requested_by, result } = report
  return (
    <Panel
      title={t('result', { id })}
      help={t('result-help', { user: requested_by, since: timeText(since), until: timeText(until) })}
      action={state === 'done' ? <ApplyButton candidate={report.candidate} present={present} /> : undefined}
    >
      {state === 'done' && result !== null ? (
        <Result result={result} />
      ) : state === 'failed' || state === 'cancelled' ? (
        <Alert.Root status={state === 'failed' ? 'error' : 'info'}>
          <Alert.Indicator />
          <Alert.Content>
            <Alert.Description>{t(`ended.${state}`)}</Alert.Description>
          </Alert.Content>
        </Alert.Root>
      ) : (
        <Running report={report} />
      )}
    </Panel>
  )
}

function Running({ report: { id, state, done, total } }: { readonly report: WhatIfReport }): ReactNode {
  const { t } = useTranslation('what-if')
  const cancel = useCancel()
  return (
    <Stack gap="2" role="status">
      <ProgressLine value={state === 'waiting' ? null : percentDone(done, total)} label={t('progress')} />
      <Flex justify="space-between" align="center" gap="3">
        <Text textStyle="sm" color="text.muted" fontVariantNumeric="tabular-nums">
          {state === 'waiting' ? t('waiting') : t('running', { done: groupDigits(done), total: groupDigits(Math.max(done, total)) })}
        </Text>
        <Button size="xs" variant="outline" loading={cancel.isPending} onClick={() => cancel.mutate(id)}>
          {t('cancel')}
        </Button>
      </Flex>
    </Stack>
  )
}

function Result({ result }: { readonly result: WhatIfResult }): ReactNode {
  const { t } = useTranslation('what-if')
  const { total, requests, changed } = result
  return (
    <Stack gap="4">
      <Text textStyle="sm">
        {changed === 0
          ? t('same', { count: requests, requests: groupDigits(requests) })
          : t('changed', { changed: groupDigits(changed), count: requests, requests: groupDigits(requests) })}
      </Text>
      <StatRow>
        {MEASURES.map((measure) => (
          <StatCard key={measure} label={t(`measure.${measure}`)}>
            <Compared measure={measure} {...total} />
          </StatCard>
        ))}
      </StatRow>
      <Notes result={result} />
      <Course result={result} />
      <Tabs.Root defaultValue="channels" lazyMount unmountOnExit>
        <Tabs.List overflowX="auto">
          {(['channels', 'models', 'users'] as const).map((by) => (
            <Tabs.Trigger key={by} value={by}>
              {t(`by.${by}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {(['channels', 'models', 'users'] as const).map((by) => (
          <Tabs.Content key={by} value={by}>
            <Lines by={by} lines={result[by]} more={result[`more_${by}`]} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Stack>
  )
}

type ComparedProps = { readonly measure: Measure; readonly before: WhatIfSums; readonly after: WhatIfSums }

/** The value with the configuration, and the recorded one under it. */
function Compared({ measure, before, after }: ComparedProps): ReactNode {
  const { t } = useTranslation('what-if')
  const textOf = useMeasureText(measure)
  return (
    <>
      <Text as="span" fontVariantNumeric="tabular-nums">
        {textOf(measureOf(measure, after))}
      </Text>
      <Text as="span" display="block" textStyle="xs" color="text.muted" fontWeight="normal" fontVariantNumeric="tabular-nums">
        {t('was', { value: textOf(measureOf(measure, before)) })}
      </Text>
    </>
  )
}

/** Everything that the figures do not tell. */
function Notes({ result }: { readonly result: WhatIfResult }): ReactNode {
  const { t } = useTranslation('what-if')
  const style = useQuotaStyle()
  const { newly_answered, newly_failed, by_rate, unmeasured, unpriced, missing, missing_revenue } = result
  const lacking = Object.values(missing).reduce((sum, count) => sum + count, 0)
  const counted = { newly_answered, newly_failed, by_rate, unmeasured, unpriced } as const
  const notes: string[] = (['newly_answered', 'newly_failed', 'by_rate', 'unmeasured', 'unpriced'] as const).flatMap((name) =>
    counted[name] === 0 ? [] : [t(`note.${name}`, numbered(counted[name]))],
  )
  const facts = (['choice', 'cut', 'differs', 'groups'] as const).flatMap((fact) =>
    missing[fact] === 0 ? [] : [t(`missing.${fact}`, numbered(missing[fact]))],
  )
  if (lacking > 0)
    notes.push(
      t('note.missing', {
        ...numbered(lacking),
        charged: quotaText(missing_revenue, 'charge', style),
        facts: facts.join(t('summary.and')),
      }),
    )
  if (notes.length === 0) return null
  return (
    <List.Root textStyle="sm" color="text.muted" ps="4" gap="1">
      {notes.map((note) => (
        <List.Item key={note}>{note}</List.Item>
      ))}
    </List.Root>
  )
}

/** The form of a text is chosen by `count`; it shows `number`. */
const numbered = (count: number) => ({ count, number: groupDigits(count) })

/** One measure over the time, as recorded and with the configuration. */
function Course({ result: { series } }: { readonly result: WhatIfResult }): ReactNode {
  const { t } = useTranslation('what-if')
  const [measure, setMeasure] = useState<Measure>('cost')
  const textOf = useMeasureText(measure)
  return (
    <Chart
      kind="line"
      title={t('course')}
      pointHeader={t('time')}
      fileName={`what-if-${measure}`}
      empty={t('no-requests')}
      textOf={textOf}
      series={[
        { id: 'before', label: t('recorded'), isBefore: true },
        { id: 'after', label: t('with') },
      ]}
      points={series.map(({ at, before, after }) => ({
        key: String(at),
        label: timeText(at).slice(5, 16),
        name: timeText(at),
        values: { before: measureOf(measure, before), after: measureOf(measure, after) },
      }))}
      controls={
        <Select
          label={t('shown-measure')}
          value={measure}
          choices={MEASURES.map((value) => ({ value, label: t(`measure.${value}`) }))}
          onChange={(value) => setMeasure(MEASURES.find((one) => one === value) ?? 'cost')}
        />
      }
    />
  )
}
