import { Button, chakra, Progress } from '@chakra-ui/react'
import type { ChannelRun, RunKind, RunResult } from '@tollgate/contracts/channels/channel-runs'
import { TEST_CAPABILITIES, type TestCapability } from '@tollgate/contracts/channels/channel-capabilities'
import { RESPONSE_TIME_MS, toneOf } from '@tollgate/domain/display/thresholds'
import { durationText, timeText } from '@tollgate/domain/display/time-text'
import { Link } from '@tanstack/react-router'
import { Play, Square } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ToneTag } from '../../../ui/display/tone-tag.tsx'
import { ChoiceField, SwitchField } from '../../../ui/form/labelled-field.tsx'
import { DetailDrawer } from '../../../ui/overlay/detail-drawer.tsx'
import { ApplyModels, ModelNames, toDiffs } from '../models/apply-models.tsx'
import { hasFailed, inOrder, summaryOf } from './run-view.ts'
import { UndoRun } from './undo-run.tsx'
import { useRun } from './use-run.ts'
import { balanceText } from '../channel-display.ts'
import { useVendorMessage } from '../../../ui/display/vendor-message.ts'

export type WantedRun = {
  readonly kind: RunKind
  /** Absent: all channels. */
  readonly ids?: readonly number[]
}

/** Tests of many channels, or their balances: what will be done, how far it is, and what came of each. It can be closed and opened again. */
export function RunDrawer({ wanted: { kind, ids }, onClose }: { readonly wanted: WantedRun; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('channel-runs')
  const { run, isRunning, start, cancel } = useRun(kind)
  const [capability, setCapability] = useState<TestCapability>('auto')
  const begin = (): void => start.mutate({ ids, capability: kind === 'test' ? capability : 'auto' })
  return (
    <DetailDrawer
      title={t(`title.${kind}`)}
      onClose={onClose}
      footer={
        isRunning ? (
          <Button variant="outline" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            <Square />
            {t('cancel')}
          </Button>
        ) : (
          <Button loading={start.isPending} onClick={begin}>
            <Play />
            {t(start.data === undefined ? 'start' : 'again')}
          </Button>
        )
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="5">
        {isRunning ? null : (
          <chakra.div display="flex" flexDirection="column" gap="3">
            <chakra.p color="text.muted">
              <chakra.span color="text.strong">
                {ids === undefined ? t(`scope-all.${kind}`) : t('scope-some', { count: ids.length })}
              </chakra.span>{' '}
              {t(`help-${kind}`)} {kind === 'test' && ids === undefined ? t('help-test-all') : ''}
            </chakra.p>
            {kind !== 'test' ? null : (
              <ChoiceField
                label={t('capability')}
                help={capability === 'image' ? t('help-image') : undefined}
                value={capability}
                onValue={(value) => setCapability(TEST_CAPABILITIES.find((known) => known === value) ?? 'auto')}
                choices={TEST_CAPABILITIES.map((value) => ({ value, label: t(`capabilities.${value}`) }))}
              />
            )}
          </chakra.div>
        )}
        {run === undefined || isRunning || kind !== 'models' ? null : <ApplyModels rows={toDiffs(run.results)} />}
        {run === undefined ? null : <RunView run={run} isRunning={isRunning} />}
      </chakra.div>
    </DetailDrawer>
  )
}

const SHOWN = 200
const SUMMARIES = { test: 'summary', balance: 'summary-balance', models: 'summary-models' } as const

function RunView({ run, isRunning }: { readonly run: ChannelRun; readonly isRunning: boolean }): ReactNode {
  const { t } = useTranslation('channel-runs')
  const [isOnlyFailed, setOnlyFailed] = useState(false)
  const { ok, failed, skipped, disabled, enabled } = summaryOf(run.results)
  const results = inOrder(run.results, isRunning).filter((result) => !isOnlyFailed || hasFailed(result))
  const end = run.is_cancelled ? t('cancelled') : t('finished', { time: timeText(run.finished_at) })
  return (
    <chakra.section display="flex" flexDirection="column" gap="3" aria-busy={isRunning}>
      <Progress.Root
        value={run.done}
        max={Math.max(1, run.total)}
        size="sm"
        colorPalette={isRunning ? 'accent' : run.results.some(hasFailed) ? 'warning' : 'success'}
      >
        <chakra.div display="flex" justifyContent="space-between" flexWrap="wrap" columnGap="3" mb="1.5" fontVariantNumeric="tabular-nums">
          <Progress.Label>{isRunning ? t('running') : end}</Progress.Label>
          <Progress.ValueText>{t('progress', { done: run.done, total: run.total })}</Progress.ValueText>
        </chakra.div>
        <Progress.Track>
          <Progress.Range />
        </Progress.Track>
      </Progress.Root>
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="4" rowGap="2" aria-live="polite">
        <chakra.span color="text.strong">
          {t(SUMMARIES[run.kind], { ok, failed })}
          {skipped === 0 ? '' : ` · ${t('skipped', { count: skipped })}`}
          {disabled + enabled === 0 ? '' : ` · ${t('changed', { disabled, enabled })}`}
        </chakra.span>
        <chakra.div ms="auto">
          <SwitchField label={t('only-failed')} value={isOnlyFailed} onValue={setOnlyFailed} />
        </chakra.div>
      </chakra.div>
      {isRunning ? null : <UndoRun key={run.id} results={run.results} />}
      {results.length === 0 ? (
        <chakra.p color="text.muted">{isRunning ? t('waiting') : isOnlyFailed ? t('none-failed') : ''}</chakra.p>
      ) : (
        <chakra.ul listStyleType="none" borderWidth="1px" borderColor="border" borderRadius="control">
          {results.slice(0, SHOWN).map((result) => (
            <Result key={result.channel_id} kind={run.kind} result={result} />
          ))}
        </chakra.ul>
      )}
      {results.length > SHOWN ? <chakra.p color="text.muted">{t('more', { count: results.length - SHOWN })}</chakra.p> : null}
    </chakra.section>
  )
}

function Result({ kind, result }: { readonly kind: RunKind; readonly result: RunResult }): ReactNode {
  const { t } = useTranslation('channel-runs')
  const vendor = useVendorMessage()
  const { channel_id, name, model = '', key = '', change, message, has_no_balance } = result
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="2"
      rowGap="1"
      px="3"
      py="1.5"
      minH="9"
      borderBottomWidth="1px"
      borderColor="border"
      _last={{ borderBottomWidth: '0' }}
    >
      <Link to="/channel/edit/$id" params={{ id: String(channel_id) }} search={true}>
        <chakra.span color="text.strong" _hover={{ textDecoration: 'underline' }} overflowWrap="anywhere">
          {name}
        </chakra.span>
      </Link>
      <chakra.span color="text.muted" textStyle="xs" fontFamily="mono" overflowWrap="anywhere">
        {key === '' ? model : `${model} …${key}`}
      </chakra.span>
      <chakra.span ms="auto" display="inline-flex" gap="2">
        {change === undefined ? null : <ToneTag tone={change === 'enabled' ? 'green' : 'orange'}>{t(`change.${change}`)}</ToneTag>}
        <Outcome kind={kind} result={result} />
      </chakra.span>
      <ModelNames fresh={result.fresh} gone={result.gone} />
      {message === '' || has_no_balance === true ? null : (
        <chakra.span flexBasis="100%" color="danger.fg" textStyle="xs" overflowWrap="anywhere">
          {vendor.ofTest(message)}
        </chakra.span>
      )}
    </chakra.li>
  )
}

function Outcome({
  kind,
  result: { ok, status, time_ms = 0, balance = 0, has_no_balance, skipped, fresh = [], gone = [] },
}: {
  readonly kind: RunKind
  readonly result: RunResult
}) {
  const { t } = useTranslation('channel-runs')
  if (has_no_balance === true) return <ToneTag tone="grey">{t('unsupported')}</ToneTag>
  if (skipped !== undefined) return <ToneTag tone="grey">{t(`skip.${skipped}`)}</ToneTag>
  if (!ok) return <ToneTag tone="red">{status === 0 ? t('failed') : t('failed-status', { status })}</ToneTag>
  if (kind === 'models')
    return fresh.length + gone.length === 0 ? (
      <ToneTag tone="green">{t('models-same')}</ToneTag>
    ) : (
      <ToneTag tone="blue">{t('models-differ')}</ToneTag>
    )
  if (kind === 'balance') return <ToneTag tone={balance > 0 ? 'green' : 'red'}>{balanceText(balance)}</ToneTag>
  return <ToneTag tone={toneOf(RESPONSE_TIME_MS, time_ms)}>{durationText(time_ms)}</ToneTag>
}
