import { Stack } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SettingsSection } from '../../ui/settings/settings-section.tsx'
import { useSaveOptions } from './api.ts'
import { SECTIONS, settingsOf, type Known } from './settings.ts'

/** Every section of the settings that has something of what is searched. */
export function Sections({ search, ...known }: Known & { readonly search: string }): ReactNode {
  const { t, i18n } = useTranslation('settings')
  const save = useSaveOptions()
  const language = i18n.language === 'en' ? 'en' : 'zh'
  return (
    <Stack gap="4">
      {(['mail', 'models'] as const).map((name) => (
        <SettingsSection
          key={name}
          title={t(`section.${name}`)}
          settings={settingsOf(SECTIONS[name], known, t, language)}
          search={search}
          onSave={save}
        />
      ))}
    </Stack>
  )
}
