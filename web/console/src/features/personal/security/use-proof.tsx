import { Text } from '@chakra-ui/react'
import { sessions } from '@tollgate/contracts/resources/sessions'
import { useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/api.ts'
import { failureText } from '../../../lib/report.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'

type Waiting = { readonly go: () => void; readonly stop: (reason: unknown) => void }

/**
 * Runs work that changes credentials. When the server wants to know first that it is the owner, the dialog asks, and the work is done
 * after that; leaving the dialog rejects with the server's refusal. The page places `dialog` anywhere.
 */
export function useProof(): { readonly guarded: <T>(work: () => Promise<T>) => Promise<T>; readonly dialog: ReactNode } {
  const [waiting, setWaiting] = useState<Waiting | undefined>(undefined)
  const guarded = useCallback(async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!needsProof(error)) throw error
      await new Promise<void>((go, stop) => setWaiting({ go, stop: () => stop(error) }))
      return work()
    }
  }, [])
  const close = (end: (one: Waiting) => void): void => {
    if (waiting !== undefined) end(waiting)
    setWaiting(undefined)
  }
  const dialog =
    waiting === undefined ? null : (
      <ProofDialog onProved={() => close(({ go }) => go())} onClose={() => close(({ stop }) => stop(undefined))} />
    )
  return { guarded, dialog }
}

/** Whether the server refused because the session must confirm its owner first. */
function needsProof(error: unknown): boolean {
  return error instanceof ApiError && error.failure.kind === 'refused' && error.failure.field === 'proof'
}

function ProofDialog({ onProved, onClose }: { readonly onProved: () => void; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('security')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    if (password === '') return setProblem(t('proof.required'))
    setBusy(true)
    try {
      await call(sessions.prove, { body: { password } })
      onProved()
    } catch (error) {
      setProblem(failureText(error))
      setBusy(false)
    }
  }
  return (
    <FormDialog title={t('proof.title')} submit={t('proof.submit')} isBusy={isBusy} onSubmit={() => void submit()} onClose={onClose}>
      <Text color="text.muted">{t('proof.help')}</Text>
      <TextField
        label={t('proof.password')}
        type="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        onValue={setPassword}
        error={problem}
      />
    </FormDialog>
  )
}
