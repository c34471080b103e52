import { Button, Dialog, Portal, Textarea } from '@chakra-ui/react'
import { useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failedCopy } from './clipboard.ts'

/** The text that could not be copied, ready to be copied by hand. */
export function CopyFallback(): ReactNode {
  const { t } = useTranslation('display')
  const text = useSyncExternalStore(failedCopy.subscribe, failedCopy.current)
  if (text === undefined) return null
  return (
    <Dialog.Root open onOpenChange={({ open }) => (open ? undefined : failedCopy.close())}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>{t('copy.failed')}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Textarea
                readOnly
                value={text}
                rows={6}
                fontFamily="mono"
                aria-label={t('copy.failed')}
                onFocus={(event) => event.target.select()}
              />
            </Dialog.Body>
            <Dialog.Footer>
              <Button variant="outline" onClick={failedCopy.close}>
                {t('action.close')}
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
