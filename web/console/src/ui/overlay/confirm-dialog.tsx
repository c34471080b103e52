import { Box, Button, Dialog, Portal } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export type Confirmation = {
  /** Names the thing: "Delete channel “main”?". */
  readonly title: string
  /** What goes with it. */
  readonly help: ReactNode
  readonly confirm: string
  /** The way out, where "Cancel" would be ambiguous. */
  readonly cancel?: string
  readonly isDangerous?: boolean
  /** Tells its own failure. */
  readonly run: () => Promise<unknown> | void
}

/** Asks before something that cannot be taken back. Stays open, and busy, until the work is done. */
export function ConfirmDialog({ ask, onClose }: { ask: Confirmation | undefined; onClose: () => void }): ReactNode {
  const { t } = useTranslation('display')
  const [isBusy, setBusy] = useState(false)
  if (ask === undefined) return null

  const run = async (): Promise<void> => {
    setBusy(true)
    try {
      await ask.run()
    } finally {
      setBusy(false)
      onClose()
    }
  }
  return (
    <Dialog.Root
      role="alertdialog"
      open
      onFocusOutside={(event) => event.preventDefault()}
      onOpenChange={({ open }) => (open || isBusy ? undefined : onClose())}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW="md">
            <Dialog.Header borderBottomWidth="0" pb="1">
              <Dialog.Title>{ask.title}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body pt="0">
              <Box overflowWrap="anywhere">{ask.help}</Box>
            </Dialog.Body>
            <Dialog.Footer borderTopWidth="0" pt="0" pb="4">
              <Button variant="outline" disabled={isBusy} onClick={onClose}>
                {ask.cancel ?? t('action.cancel')}
              </Button>
              <Button colorPalette={ask.isDangerous === false ? 'accent' : 'danger'} loading={isBusy} onClick={() => void run()}>
                {ask.confirm}
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
