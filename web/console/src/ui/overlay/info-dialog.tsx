import { CloseButton, Dialog, Portal, type DialogRootProps } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type InfoDialogProps = {
  readonly title: string
  readonly width?: 'md' | 'lg' | '3xl' | '800px'
  /** As high as its content, unless given. */
  readonly height?: '400px'
  /** The buttons at its foot; without them it has a cross in its corner. */
  readonly buttons?: ReactNode
  /** The content is not shown again: only one of its buttons closes the dialog. */
  readonly isOnce?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

const ONCE: Partial<DialogRootProps> = { role: 'alertdialog', closeOnEscape: false, closeOnInteractOutside: false }

/** Something to read over the page; a long text scrolls inside it. */
export function InfoDialog({ title, width = 'lg', height, buttons, isOnce = false, onClose, children }: InfoDialogProps): ReactNode {
  const { t } = useTranslation('display')
  return (
    <Dialog.Root open scrollBehavior="inside" onOpenChange={({ open }) => (open ? undefined : onClose())} {...(isOnce ? ONCE : {})}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW={width} {...(height === undefined ? {} : { height })}>
            <Dialog.Header>
              <Dialog.Title>{title}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>{children}</Dialog.Body>
            {buttons === undefined ? (
              <Dialog.CloseTrigger asChild>
                <CloseButton size="sm" variant="ghost" aria-label={t('action.close')} />
              </Dialog.CloseTrigger>
            ) : (
              <Dialog.Footer flexWrap="wrap">{buttons}</Dialog.Footer>
            )}
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
