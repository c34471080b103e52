import { Button, chakra, Dialog, Portal } from '@chakra-ui/react'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type FormDialogProps = {
  readonly title: string
  readonly submit: string
  readonly isBusy: boolean
  readonly isDisabled?: boolean
  /** The action cannot be taken back. */
  readonly isDangerous?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A short question over the page: Enter sends it, Esc leaves. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, submit, isBusy, isDisabled = false, isDangerous = false, onSubmit, onClose, children } = props
  const { t } = useTranslation('display')
  const send = (event: FormEvent): void => {
    event.preventDefault()
    // A dialog is inside the form of the page that opened it, as React sees it.
    event.stopPropagation()
    if (!isBusy && !isDisabled) onSubmit()
  }
  return (
    <Dialog.Root
      open
      onFocusOutside={(event) => event.preventDefault()}
      onOpenChange={({ open }) => (open || isBusy ? undefined : onClose())}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW="md">
            <Dialog.Header>
              <Dialog.Title>{title}</Dialog.Title>
            </Dialog.Header>
            <chakra.form noValidate onSubmit={send}>
              <Dialog.Body display="flex" flexDirection="column" gap="4">
                {children}
              </Dialog.Body>
              <Dialog.Footer>
                <Button type="button" variant="outline" disabled={isBusy} onClick={onClose}>
                  {t('action.cancel')}
                </Button>
                <Button type="submit" colorPalette={isDangerous ? 'danger' : 'accent'} loading={isBusy} disabled={isDisabled}>
                  {submit}
                </Button>
              </Dialog.Footer>
            </chakra.form>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
