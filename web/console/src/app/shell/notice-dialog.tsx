import { Button, Dialog, Portal } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OperatorMarkup } from '../../ui/display/operator-markup.tsx'

type NoticeProps = { readonly text: string; readonly onClose: () => void }

/** What the operator has to say, over the page. */
export function NoticeDialog({ text, onClose }: NoticeProps): ReactNode {
  const { t } = useTranslation('shell')
  return (
    <Dialog.Root open scrollBehavior="inside" onOpenChange={({ open }) => (open ? undefined : onClose())}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW="lg">
            <Dialog.Header>
              <Dialog.Title>{t('notice')}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <OperatorMarkup markup="markdown" text={text} />
            </Dialog.Body>
            <Dialog.Footer>
              <Button data-autofocus="" onClick={onClose}>
                {t('notice-seen')}
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
