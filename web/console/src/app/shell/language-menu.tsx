import { Menu, Portal } from '@chakra-ui/react'
import { Languages } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '../../i18n/change-language.ts'
import { LANGUAGE_NAMES, LANGUAGES, rememberedLanguage } from '../../i18n/language.ts'
import { report } from '../../lib/report.ts'
import { useStored } from '../../lib/storage.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import type { OpenedMenu } from './on-demand.tsx'

export function LanguageMenu({ defaultOpen }: OpenedMenu): ReactNode {
  const { t } = useTranslation('shell')
  useStored('i18nextLng')
  const choose = (value: string): void => {
    const language = LANGUAGES.find((one) => one === value)
    if (language !== undefined) changeLanguage(language).catch(report)
  }
  return (
    <Menu.Root defaultOpen={defaultOpen} positioning={{ placement: 'bottom-end' }}>
      <Menu.Trigger asChild>
        <IconButton label={t('language')}>
          <Languages aria-hidden />
        </IconButton>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content minW="32">
            <Menu.RadioItemGroup value={rememberedLanguage()} onValueChange={({ value }) => choose(value)}>
              {LANGUAGES.map((language) => (
                <Menu.RadioItem key={language} value={language} lang={language}>
                  <Menu.ItemIndicator />
                  {LANGUAGE_NAMES[language]}
                </Menu.RadioItem>
              ))}
            </Menu.RadioItemGroup>
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  )
}
