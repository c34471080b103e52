import { Button, chakra, Dialog, Portal } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { report } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { tagMany } from '../api.ts'

/** Sets one tag on the selected channels. */
export function TagDialog({ ids, onDone, onClose }: { ids: readonly number[]; onDone: () => void; onClose: () => void }): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
  const client = useQueryClient()
  const [tag, setTag] = useState('')
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    if (tag.trim() === '') return toast.error(t('tag-empty'))
    setBusy(true)
    try {
      toast.success(t('tag-done', { count: await tagMany(client, ids, tag.trim()) }))
      onDone()
    } catch (error) {
      report(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog.Root open onOpenChange={({ open }) => (open ? undefined : onClose())}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW="md" asChild>
            <chakra.form
              onSubmit={(event) => {
                event.preventDefault()
                void save()
              }}
            >
              <Dialog.Header>
                <Dialog.Title>{t('tag-dialog-title', { count: ids.length })}</Dialog.Title>
              </Dialog.Header>
              <Dialog.Body>
                <TextField label={t('field.tag')} help={t('field.tag-help')} autoFocus value={tag} onValue={setTag} />
              </Dialog.Body>
              <Dialog.Footer>
                <Button type="button" variant="outline" onClick={onClose}>
                  {t('display:action.cancel')}
                </Button>
                <Button type="submit" loading={isBusy}>
                  {t('display:action.save')}
                </Button>
              </Dialog.Footer>
            </chakra.form>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
