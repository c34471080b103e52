import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameOf, type SettingValues } from '../../ui/settings/setting.ts'
import type { SectionProps, SectionTexts } from '../../ui/settings/settings-section.tsx'
import { ChatPresets } from './chat-presets.tsx'
import type { PlacedSection } from './layout.ts'
import { PriceEditor } from './price-editor.tsx'
import { GroupEditor, LimitEditor, WindowEditor } from './row-editors.tsx'
import { TestMail } from './test-mail.tsx'
import { DiscoverOidc, LogTools, ResetRatios, TestOutside } from './tools.tsx'
import type { Known } from './settings.ts'

type Parts = Pick<SectionProps, 'help' | 'texts' | 'problemsOf' | 'tools' | 'body'>

/**
 * Parts of single sections besides their settings: texts, rules across settings, tests. `onReset` opens the section again with the stored
 * values.
 */
export function useSectionParts(section: PlacedSection, known: Known, others: () => SettingValues, onReset: (fresh: Known) => void): Parts {
  const { t } = useTranslation('settings')
  const texts = useSectionTexts(section)
  const [name, open] = useState<string | undefined>(undefined)
  const view = { name, open }
  if (section.name === 'payment') {
    const hasAddress = known.rows.some(({ key, value }) => key === 'ServerAddress' && value !== '')
    return {
      texts,
      tools: () => <TestOutside part="payment" />,
      problemsOf: (_values, changed) =>
        hasAddress ? [] : [...changed].slice(0, 1).map((key) => ({ field: nameOf(key), message: t('server-address-first') })),
    }
  }
  if (section.name === 'prices')
    return {
      texts,
      body: (form, rows, saved) => <PriceEditor form={form} rows={rows} saved={saved} others={others} view={view} />,
      tools: () => <ResetRatios known={known} onReset={onReset} />,
    }
  if (section.name === 'groups')
    return { texts, body: (form, rows, saved) => <GroupEditor form={form} rows={rows} saved={saved} others={others} view={view} /> }
  if (section.name === 'limits') return { texts, body: (form, rows) => <WindowEditor form={form} rows={rows} /> }
  if (section.name === 'shared') return { texts, body: (form, rows) => <LimitEditor form={form} rows={rows} view={view} /> }
  if (section.name === 'logs') return { texts, tools: () => <LogTools /> }
  if (section.name === 'smtp') return { texts, tools: (form) => <TestMail form={form} /> }
  if (section.name === 'oidc') return { texts, tools: (form) => <DiscoverOidc form={form} /> }
  if (section.name === 'chats') return { texts, tools: (form) => <ChatPresets form={form} /> }
  if (section.name === 'proxy' || section.name === 'turnstile' || section.name === 'stripe') {
    const part = section.name
    return { texts, tools: () => <TestOutside part={part} /> }
  }
  if (section.name === 'compatibility') return { texts, help: t('compatibility-help') }
  return { texts }
}

/** Texts of the specification about a save in each tab, word for word. */
function useSectionTexts({ tab, name }: PlacedSection): SectionTexts {
  const { t } = useTranslation('settings')
  const common = { unchanged: t('result.unchanged'), invalid: t('result.invalid'), partly: t('result.partly') }
  if (tab === 'system') return { ...common, saved: t('result.updated'), failed: t('result.update-failed'), silent: t('result.failed') }
  if (tab === 'other') {
    // The names of this tab's sections.
    const own = name as 'notice'
    return { ...common, saved: t('result.updated'), failed: t(`result.other.${own}`), silent: t('result.failed') }
  }
  return { ...common, saved: t('result.saved'), failed: t('result.failed'), silent: t('result.silent') }
}
