import { Button } from '@chakra-ui/react'
import type { OutsidePart, OutsideResult } from '@tollgate/contracts/resources/options'
import { durationText } from '@tollgate/domain/display/time-text'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { report } from '../../lib/report.ts'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { ClearLogsDialog } from '../../ui/overlay/clear-logs-dialog.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { nameOf } from '../../ui/settings/setting.ts'
import type { SettingsForm } from '../../ui/settings/settings-section.tsx'
import { discoverOidc, testOutside, useResetRatios } from './api.ts'
import type { Known } from './settings.ts'

/** Fills the endpoints from the provider's own document; nothing is stored before a save. */
export function DiscoverOidc({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation('settings')
  const [isBusy, setBusy] = useState(false)
  const discover = async (): Promise<void> => {
    const url = (form.values[nameOf('oidc.well_known')] ?? '').trim()
    if (!/^https?:\/\//i.test(url)) {
      toast.error(t('oidc.start'))
      return
    }
    setBusy(true)
    try {
      const found = await discoverOidc(url)
      form.set({
        [nameOf('oidc.authorization_endpoint')]: found.authorization_endpoint,
        [nameOf('oidc.token_endpoint')]: found.token_endpoint,
        [nameOf('oidc.user_info_endpoint')]: found.userinfo_endpoint,
      })
      toast.success(t('oidc.found'))
    } catch {
      toast.error(t('oidc.failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button type="button" variant="outline" loading={isBusy} onClick={() => void discover()}>
      {t('oidc.discover')}
    </Button>
  )
}

/** Puts ModelRatio back to its default at once. */
export function ResetRatios({ known, onReset }: { readonly known: Known; readonly onReset: (fresh: Known) => void }): ReactNode {
  const { t } = useTranslation('prices')
  const confirm = useConfirm()
  const reset = useResetRatios()
  const run = async (): Promise<void> => {
    try {
      const { message, fresh } = await reset(known)
      toast.success(message)
      onReset(fresh)
    } catch (error) {
      report(error)
    }
  }
  return (
    <>
      <Button
        type="button"
        variant="outline"
        onClick={() => confirm.ask({ title: t('reset.title'), help: t('reset.help'), confirm: t('reset.confirm'), run })}
      >
        {t('reset.run')}
      </Button>
      {confirm.dialog}
    </>
  )
}

const ArchiveDialog = lazy(async () => ({ default: (await import('./archive-dialog.tsx')).ArchiveDialog }))

/** Deletes old log entries, counted first, or moves months of them to the object store; nothing of the form is part of it. */
export function LogTools(): ReactNode {
  const { t } = useTranslation('settings')
  const [opened, setOpened] = useState<'clear' | 'archive' | undefined>(undefined)
  const close = (): void => setOpened(undefined)
  return (
    <>
      <Button type="button" variant="outline" onClick={() => setOpened('archive')}>
        {t('archive.open')}
      </Button>
      <Button type="button" variant="outline" onClick={() => setOpened('clear')}>
        {t('clear-history')}
      </Button>
      {opened === 'clear' ? <ClearLogsDialog onClose={close} /> : null}
      {opened === 'archive' ? (
        <Suspense fallback={null}>
          <ArchiveDialog onClose={close} />
        </Suspense>
      ) : null}
    </>
  )
}

const TONES = { works: 'green', missing: 'grey', unreachable: 'red', refused: 'red', unexpected: 'orange' } as const

/** Calls a service outside with the stored settings; what is typed and not saved is not tried. */
export function TestOutside({ part }: { readonly part: OutsidePart }): ReactNode {
  const { t } = useTranslation('settings')
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<OutsideResult | undefined>(undefined)
  const run = async (): Promise<void> => {
    setBusy(true)
    setResult(undefined)
    try {
      setResult(await testOutside(part))
    } catch (error) {
      report(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button type="button" variant="outline" loading={isBusy} data-hint={t('outside.help')} onClick={() => void run()}>
        {t(`outside.run.${part}`)}
      </Button>
      <span role="status">
        {result === undefined ? null : (
          <ToneTag tone={TONES[result.outcome]}>
            {t(`outside.${result.outcome}`)}
            {result.detail === '' ? '' : ` · ${result.detail}`}
            {result.outcome === 'works' ? ` · ${durationText(result.time_ms)}` : ''}
          </ToneTag>
        )}
      </span>
    </>
  )
}
