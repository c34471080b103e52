import { Alert, Button, chakra, Flex, List, Stack, Text } from '@chakra-ui/react'
import type { ImportRun, ShownReport } from '@tollgate/contracts/resources/imports'
import { IMPORT_KIND_TEXTS } from '@tollgate/contracts/moving-in/texts'
import { IMPORT_KINDS } from '@tollgate/contracts/moving-in/records'
import { groupDigits } from '@tollgate/domain/display/count-text'
import type { Tone } from '@tollgate/domain/display/tone'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { report as reportFailure } from '../../lib/report.ts'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { ProgressLine } from '../../ui/display/progress-line.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { cancel, forget, runAgain, saveReport, useImportAction } from './api.ts'
import { useTextLanguage } from './text-language.ts'

const TONES: Readonly<Record<ImportRun['state'], Tone>> = {
  running: 'blue',
  finished: 'green',
  failed: 'red',
  cancelled: 'grey',
  interrupted: 'orange',
}

export type RunProps = { readonly run: ImportRun; readonly report: ShownReport | null; readonly guarded: Guarded }

/** `keep`: settings that a further run leaves out. */
type KeepingProps = RunProps & { readonly keep: readonly string[] }

/** The latest import: how far it is, how it ended, and what can be done now. */
export function RunPanel({ run, report, guarded, keep }: KeepingProps): ReactNode {
  const { t } = useTranslation('moving-in')
  const isRunning = run.state === 'running'
  return (
    <Panel
      title={t(run.is_dry_run ? 'run.dry' : 'run.real')}
      action={<StatusTag tone={TONES[run.state]}>{t(`run.state.${run.state}`)}</StatusTag>}
    >
      <Stack gap="4">
        <FactsList>
          <Fact name={t('run.source')}>{run.source}</Fact>
          <Fact name={t('run.started')}>
            <TimeText time={run.started_at} absent="–" />
          </Fact>
          <Fact name={t('run.finished')}>
            <TimeText time={run.finished_at} absent={t('run.not-yet')} />
          </Fact>
          <Fact name={t('run.by')}>{run.started_by}</Fact>
        </FactsList>
        <Notice run={run} />
        {isRunning || run.state === 'interrupted' || run.state === 'cancelled' ? <Steps run={run} /> : null}
        {isRunning ? <StopButton run={run} /> : <Actions run={run} report={report} guarded={guarded} keep={keep} />}
      </Stack>
    </Panel>
  )
}

/** Why it ended before its end, and what becomes of what it did. */
function Notice({ run }: { readonly run: ImportRun }): ReactNode {
  const { t } = useTranslation('moving-in')
  const lines = [
    ...(run.failure === '' ? [] : [run.failure]),
    ...(run.state === 'interrupted' || run.state === 'cancelled' ? [run.is_dry_run ? t('report.dry') : t(`run.${run.state}`)] : []),
    ...(run.state === 'running' || run.has_source ? [] : [t('run.source-gone')]),
  ]
  if (lines.length === 0) return null
  return (
    <Alert.Root status={run.state === 'failed' ? 'error' : run.state === 'finished' ? 'info' : 'warning'} role="status">
      <Alert.Indicator />
      <Alert.Content>
        {lines.map((line) => (
          <Alert.Description key={line}>{line}</Alert.Description>
        ))}
      </Alert.Content>
    </Alert.Root>
  )
}

function Steps({ run: { progress } }: { readonly run: ImportRun }): ReactNode {
  const { t } = useTranslation('moving-in')
  const language = useTextLanguage()
  const shown = progress.filter(({ total }) => total > 0)
  if (shown.length === 0)
    return (
      <Text role="status" color="text.muted">
        {t('run.waiting')}
      </Text>
    )
  return (
    <Stack gap="2.5" role="status" aria-live="off">
      {shown.map(({ kind, read, total }) => {
        const name = IMPORT_KIND_TEXTS[kind][language]
        const share = Math.min(100, Math.round((read / total) * 100))
        return (
          <chakra.div key={kind}>
            <Flex justify="space-between" gap="3" textStyle="sm">
              <span>{name}</span>
              <chakra.span color="text.muted" fontVariantNumeric="tabular-nums">
                {t('run.progress', { read: groupDigits(Math.min(read, total)), total: groupDigits(total) })}
              </chakra.span>
            </Flex>
            <ProgressLine value={share} size="sm" label={`${name} ${share}%`} />
          </chakra.div>
        )
      })}
    </Stack>
  )
}

function StopButton({ run }: { readonly run: ImportRun }): ReactNode {
  const { t } = useTranslation('moving-in')
  const stop = useImportAction(cancel)
  const { ask, dialog } = useConfirm()
  return (
    <Flex gap="3" align="center" wrap="wrap">
      <Button
        variant="outline"
        disabled={stop.isSuccess}
        loading={stop.isPending}
        onClick={() =>
          ask({
            title: t('run.stop-ask'),
            help: run.is_dry_run ? t('report.dry') : t('run.stop-help'),
            confirm: t('run.stop'),
            run: () => stop.mutateAsync(run.id).catch(() => undefined),
          })
        }
      >
        {t('run.stop')}
      </Button>
      {stop.isSuccess ? (
        <Text textStyle="sm" color="text.muted">
          {t('run.stopping')}
        </Text>
      ) : null}
      {dialog}
    </Flex>
  )
}

function Actions({ run, report, guarded, keep }: KeepingProps): ReactNode {
  const { t } = useTranslation('moving-in')
  const language = useTextLanguage()
  const { ask, dialog } = useConfirm()
  const again = useImportAction((is_dry_run: boolean) => guarded(() => runAgain({ id: run.id, is_dry_run, keep })))
  const anew = useImportAction(forget)
  // The mutation tells its own failure.
  const runNow = (is_dry_run: boolean) => again.mutateAsync(is_dry_run).catch(() => undefined)
  const confirm = (): void =>
    ask({
      title: t('confirm.title'),
      help: <Written report={report} />,
      confirm: t('confirm.submit'),
      run: () => void runNow(false),
    })
  const save = (format: 'json' | 'html') => () => void saveReport(run.id, format, language).catch(reportFailure)
  const isDryDone = run.is_dry_run && run.state === 'finished'
  return (
    <Flex gap="2" wrap="wrap">
      {run.has_source ? (
        <>
          {isDryDone ? (
            <Button loading={again.isPending} onClick={confirm}>
              {t('run.start')}
            </Button>
          ) : null}
          {!run.is_dry_run && run.state !== 'finished' ? (
            <Button loading={again.isPending} onClick={() => void runNow(false)}>
              {t(run.state === 'failed' ? 'run.again' : 'run.go-on')}
            </Button>
          ) : null}
          <Button variant="outline" disabled={again.isPending} onClick={() => void runNow(true)}>
            {t(run.is_dry_run ? 'run.again-dry' : 'run.changes')}
          </Button>
        </>
      ) : null}
      <Button
        variant="outline"
        loading={anew.isPending}
        onClick={() =>
          ask({
            title: t('run.new-ask'),
            help: t('run.new-help'),
            confirm: t('run.new'),
            isDangerous: false,
            run: () => anew.mutateAsync(run.id).catch(() => undefined),
          })
        }
      >
        {t('run.new')}
      </Button>
      {report === null ? null : (
        <>
          <Button variant="ghost" onClick={save('html')}>
            {t('run.save-page')}
          </Button>
          <Button variant="ghost" onClick={save('json')}>
            {t('run.save-json')}
          </Button>
        </>
      )}
      {dialog}
    </Flex>
  )
}

/** The rows that a run would write, as the dry run counted them. */
function Written({ report }: { readonly report: ShownReport | null }): ReactNode {
  const { t } = useTranslation('moving-in')
  const language = useTextLanguage()
  const lines = IMPORT_KINDS.flatMap((kind) => {
    const { created = 0, updated = 0 } = report?.counts[kind] ?? {}
    const values = { kind: IMPORT_KIND_TEXTS[kind][language], created: groupDigits(created), updated: groupDigits(updated) }
    return created + updated === 0 ? [] : [t('confirm.line', values)]
  })
  return (
    <Stack gap="3">
      <Text>{lines.length === 0 ? t('confirm.nothing') : t('confirm.help')}</Text>
      <List.Root ps="5">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List.Root>
      <Text color="text.muted">{t('confirm.effect')}</Text>
    </Stack>
  )
}
