import { Box, Button, Dialog, Field, Input, Portal } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export type Confirmation = {
  /** Names the thing: "Delete channel “main”?". */
  readonly title: string
  /** Consequences of the action. */
  readonly help: ReactNode
  readonly confirm: string
  /** The way out, where "Cancel" would be ambiguous. */
  readonly cancel?: string
  readonly isDangerous?: boolean
  /** Text that must be typed first: the name of what would be lost. */
  readonly typed?: string
  /** Tells its own failure. */
  readonly run: () => Promise<unknown> | void
}

/** Asks before something that cannot be taken back. Stays open, and busy, until the work is done. */
export function ConfirmDialog({ ask, onClose }: { ask: Confirmation | undefined; onClose: () => void }): ReactNode {
  const { t } = useTranslation('display')
  const [isBusy, setBusy] = useState(false)
  const [typed, setTyped] = useState('')
  if (ask === undefined) return null

  const isUntyped = ask.typed !== undefined && typed.trim() !== ask.typed
  const close = (): void => {
    setTyped('')
    onClose()
  }
  const run = async (): Promise<void> => {
    setBusy(true)
    try {
      await ask.run()
    } finally {
      setBusy(false)
      close()
    }
  }
  return (
    <Dialog.Root
      role="alertdialog"
      open
      onFocusOutside={(event) => event.preventDefault()}
      onOpenChange={({ open }) => (open || isBusy ? undefined : close())}
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
              {ask.typed === undefined ? null : (
                <Field.Root mt="3">
                  <Field.Label>{t('form.type-to-confirm', { name: ask.typed })}</Field.Label>
                  <Input
                    data-autofocus=""
                    autoComplete="off"
                    spellCheck={false}
                    value={typed}
                    onChange={(event) => setTyped(event.target.value)}
                    onKeyDown={(event) => (event.key === 'Enter' && !isUntyped && !isBusy ? void run() : undefined)}
                  />
                </Field.Root>
              )}
            </Dialog.Body>
            <Dialog.Footer borderTopWidth="0" pt="0" pb="4">
              <Button variant="outline" disabled={isBusy} onClick={close}>
                {ask.cancel ?? t('action.cancel')}
              </Button>
              <Button
                colorPalette={ask.isDangerous === false ? 'accent' : 'danger'}
                disabled={isUntyped}
                loading={isBusy}
                onClick={() => void run()}
              >
                {ask.confirm}
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
