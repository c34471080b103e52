import { Text } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/form/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'

type DeleteProps = { readonly name: string; readonly onDelete: () => Promise<void>; readonly onClose: () => void }

/** Asks for the own name before the account is deleted. */
export function DeleteDialog({ name, onDelete, onClose }: DeleteProps): ReactNode {
  const { t } = useTranslation('personal')
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    if (typed !== name) return setProblem(t('delete.error-name'))
    setBusy(true)
    try {
      await onDelete()
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={t('delete.ask')}
      submit={t('delete.confirm')}
      isBusy={isBusy}
      isDangerous
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Text>{t('delete.ask-help')}</Text>
      <TextField
        label={t('delete.name', { name })}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onValue={(text) => {
          setTyped(text)
          setProblem(undefined)
        }}
        error={problem}
      />
    </FormDialog>
  )
}
