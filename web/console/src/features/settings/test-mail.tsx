import { Button, Text } from '@chakra-ui/react'
import { Send } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import type { SettingsForm } from '../../ui/settings/settings-section.tsx'
import { sendTestMail } from './api.ts'

/** Tries the saved mail options. */
export function TestMail({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation('settings')
  const [isOpen, setOpen] = useState(false)
  const open = (): void => {
    if (form.isDirty) toast.warning(t('test-mail.save-first'))
    else setOpen(true)
  }
  return (
    <>
      <Button type="button" variant="outline" onClick={open}>
        <Send aria-hidden />
        {t('test-mail.send')}
      </Button>
      {isOpen ? <TestMailDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function TestMailDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('settings')
  const [to, setTo] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await sendTestMail(to.trim())
      toast.success(t('test-mail.sent'))
      onClose()
    } catch (error) {
      setProblem(failureText(error))
      setBusy(false)
    }
  }
  return (
    <FormDialog title={t('test-mail.title')} submit={t('test-mail.send')} isBusy={isBusy} onSubmit={() => void submit()} onClose={onClose}>
      <Text>{t('test-mail.help')}</Text>
      <TextField
        label={t('test-mail.to')}
        help={t('test-mail.to-help')}
        type="email"
        autoComplete="email"
        autoFocus
        value={to}
        onValue={setTo}
        error={problem}
      />
    </FormDialog>
  )
}
