import { Button, CloseButton, Dialog, Portal, Stack, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { clientAddress } from '../../lib/client-snippets.ts'
import { useSiteStatus } from '../../lib/status.ts'
import { ClientSnippets } from '../../ui/display/client-snippets.tsx'

/** How an application asks the same model. The playground has no key, so the reader puts in one of theirs. */
export function CodeDialog({ model, onClose }: { readonly model: string; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation(['playground', 'display'])
  const status = useSiteStatus()
  return (
    <Dialog.Root open size="lg" scrollBehavior="inside" onOpenChange={({ open }) => (open ? undefined : onClose())}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW="3xl">
            <Dialog.Header>
              <Dialog.Title>{t('view-code')}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Stack gap="4">
                <Text textStyle="sm">{t('code-help')}</Text>
                <ClientSnippets input={{ address: clientAddress(status?.server_address, window.location.origin), key: 'sk-…', model }} />
              </Stack>
            </Dialog.Body>
            <Dialog.Footer>
              <Button asChild variant="outline">
                <Link to="/token">{t('to-tokens')}</Link>
              </Button>
              <Button onClick={onClose}>{t('display:action.close')}</Button>
            </Dialog.Footer>
            <Dialog.CloseTrigger asChild>
              <CloseButton size="sm" variant="ghost" aria-label={t('display:action.close')} />
            </Dialog.CloseTrigger>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
