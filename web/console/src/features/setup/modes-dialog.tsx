import { Box, Button, Dialog, Flex, Portal, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { USAGE_MODES } from './form.ts'

/** What the three usage modes mean in practice. */
export function ModesDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation(['setup', 'common'])
  return (
    <Dialog.Root open onOpenChange={({ open }) => (open ? undefined : onClose())}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>{t('modes-title')}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
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
            </Dialog.Body>
            <Dialog.Footer>
              <Button onClick={onClose}>{t('common:close')}</Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
