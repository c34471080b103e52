import { Box, Button, Flex, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { USAGE_MODES } from './form.ts'
import { InfoDialog } from '../../ui/overlay/info-dialog.tsx'

/** Explains the three usage modes. */
export function ModesDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation(['setup', 'common'])
  return (
    <InfoDialog title={t('modes-title')} buttons={<Button onClick={onClose}>{t('common:close')}</Button>} onClose={onClose}>
      <Flex direction="column" gap="4">
        {USAGE_MODES.map((mode) => (
          <Box key={mode}>
            <Text fontWeight="medium" color="text.strong">
              {t(`mode-${mode}`)}
            </Text>
            <Text mt="0.5">{t(`mode-${mode}-long`)}</Text>
          </Box>
        ))}
        <Text color="text.muted">{t('modes-later')}</Text>
      </Flex>
    </InfoDialog>
  )
}
