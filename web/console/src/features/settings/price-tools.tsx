import { Button, Flex } from '@chakra-ui/react'
import { useSearch } from '@tanstack/react-router'
import { BookOpen, CalendarClock, FileUp, History } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { nameOf, type SettingValues } from '../../ui/settings/setting.ts'
import type { SettingsForm } from '../../ui/settings/settings-section.tsx'
import { catalogueMaps } from './catalogue-changes.ts'
import { importMaps } from './price-import-changes.ts'
import { priceTexts } from './price-tools-api.ts'

const CatalogueDrawer = lazy(async () => ({ default: (await import('./catalogue-drawer.tsx')).CatalogueDrawer }))
const ImportDrawer = lazy(async () => ({ default: (await import('./import-drawer.tsx')).ImportDrawer }))
const ReplayDrawer = lazy(async () => ({ default: (await import('./replay-drawer.tsx')).ReplayDrawer }))
const ScheduleDrawer = lazy(async () => ({ default: (await import('./schedule-drawer.tsx')).ScheduleDrawer }))

const TOOLS = ['catalogue', 'import', 'replay', 'schedule'] as const
type Tool = (typeof TOOLS)[number]
const ICONS = { catalogue: BookOpen, import: FileUp, replay: History, schedule: CalendarClock } as const

type ToolsProps = {
  readonly form: SettingsForm
  readonly saved: Readonly<SettingValues>
  /** Unsaved values of other sections: prices of models and of groups belong to one charge. */
  readonly others: () => SettingValues
  readonly tools?: readonly Tool[]
}

/** Tools for many prices at once; all of them work on the values of the form, saved or not. */
export function PriceTools({ form, saved, others, tools = TOOLS }: ToolsProps): ReactNode {
  const { t } = useTranslation(['price-tools', 'prices'])
  const asked = useSearch({ strict: false, select: ({ tool }) => tool })
  const [open, setOpen] = useState<Tool | undefined>(tools.find((tool) => tool === asked))
  const close = (): void => setOpen(undefined)
  const show = (tool: Tool): void => {
    const isBroken =
      (tool === 'import' && importMaps(form.values) === undefined) || (tool === 'catalogue' && catalogueMaps(form.values) === undefined)
    if (isBroken) toast.error(t('prices:broken'))
    else setOpen(tool)
  }
  // A scheduled change that stayed unsaved could be saved by mistake, and take effect at once.
  const onScheduled = (): void => {
    form.set(Object.fromEntries(Object.keys(priceTexts(form.values)).map((key) => [nameOf(key), saved[nameOf(key)] ?? ''])))
    close()
  }
  const maps = open === 'import' ? importMaps(form.values) : undefined
  const all = open === 'catalogue' ? catalogueMaps(form.values) : undefined
  const beside = open === undefined ? {} : others()
  const prices = priceTexts({ ...beside, ...form.values })
  const isDraft = form.isDirty || Object.keys(priceTexts(beside)).length > 0
  return (
    <>
      <Flex gap="2" wrap="wrap" role="group" aria-label={t('tools')}>
        {tools.map((tool) => {
          const Icon = ICONS[tool]
          return (
            <Button key={tool} type="button" size="sm" variant="outline" onClick={() => show(tool)}>
              <Icon aria-hidden />
              {t(`${tool}.open`)}
            </Button>
          )
        })}
      </Flex>
      <Suspense fallback={null}>
        {all === undefined ? null : (
          <CatalogueDrawer
            maps={all}
            isDraft={isDraft}
            isFollowing={form.values[nameOf('PriceRefreshEnabled')] === 'true'}
            onApply={form.set}
            onClose={close}
          />
        )}
        {maps === undefined ? null : (
          <ImportDrawer
            maps={maps}
            banded={new Set(Object.keys(catalogueMaps(form.values)?.PriceCards ?? {}))}
            onApply={form.set}
            onClose={close}
          />
        )}
        {open === 'replay' ? <ReplayDrawer prices={prices} isDraft={isDraft} onClose={close} /> : null}
        {open === 'schedule' ? <ScheduleDrawer prices={prices} isDraft={isDraft} onScheduled={onScheduled} onClose={close} /> : null}
      </Suspense>
    </>
  )
}
