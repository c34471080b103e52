import { Box, RadioGroup, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { USAGE_MODES, type UsageMode } from './form.ts'

type ModeChoiceProps = { readonly mode: UsageMode; readonly onMode: (mode: UsageMode) => void }

export function ModeChoice({ mode, onMode }: ModeChoiceProps): ReactNode {
  const { t } = useTranslation('setup')
  const choose = (value: string | null): void => {
    const chosen = USAGE_MODES.find((one) => one === value)
    if (chosen !== undefined) onMode(chosen)
  }
  return (
    <RadioGroup.Root value={mode} onValueChange={({ value }) => choose(value)} aria-label={t('usage-mode')} gap="2">
      {USAGE_MODES.map((one) => (
        <RadioGroup.Item
          key={one}
          value={one}
          alignItems="flex-start"
          gap="3"
          px="3"
          py="2.5"
          borderWidth="1px"
          borderColor="border"
          borderRadius="control"
          css={{ '&[data-state=checked]': { borderColor: '{colors.accent.solid}', bg: '{colors.accent.subtle}' } }}
        >
          <RadioGroup.ItemHiddenInput />
          <RadioGroup.ItemIndicator mt="0.5" />
          <RadioGroup.ItemText>
            <Text as="span" display="block" fontWeight="medium" color="text.strong">
              {t(`mode-${one}`)}
            </Text>
            <Box as="span" display="block" color="text.muted">
              {t(`mode-${one}-help`)}
            </Box>
          </RadioGroup.ItemText>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
