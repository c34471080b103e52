import { Button, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { sessions } from '@tollgate/contracts/resources/sessions'
import { Fingerprint } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { asksForProof } from '../../../lib/api-error.ts'
import { call } from '../../../lib/api.ts'
import type { Guarded } from '../../../lib/guarded.ts'
import { askForPasskey, canUsePasskeys } from '../../../lib/passkey.ts'
import { failureText } from '../../../lib/report.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'
import { twoFactorState } from './api.ts'

type Waiting = { readonly go: () => void; readonly stop: (reason: unknown) => void }

/**
 * Runs work that changes credentials. When the server wants to know first that it is the owner, the dialog asks, and the work is done
 * after that; leaving the dialog rejects with the server's refusal. The page places `dialog` anywhere.
 */
export function useProof(): { readonly guarded: Guarded; readonly dialog: ReactNode } {
  const [waiting, setWaiting] = useState<Waiting | undefined>(undefined)
  const guarded = useCallback(async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!asksForProof(error)) throw error
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

/** Asks for the code where two-step verification is on, else for the password; a passkey is always enough. */
function ProofDialog({ onProved, onClose }: { readonly onProved: () => void; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('security')
  const { data } = useQuery(twoFactorState)
  const [given, setGiven] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const byCode = data?.is_on === true
  const isBare = data !== undefined && !byCode && !data.has_password
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
      onProved()
    } catch (error) {
      setProblem(failureText(error))
      setBusy(false)
    }
  }
  const submit = (): void => {
    if (given === '') return setProblem(t(byCode ? 'proof.code-required' : 'proof.required'))
    void run(() => call(sessions.prove, { body: byCode ? { code: given } : { password: given } }))
  }
  const withPasskey = (): void => void run(async () => call(sessions.prove, { body: { passkey: await askForPasskey() } }))
  return (
    <FormDialog title={t('proof.title')} submit={t('proof.submit')} isBusy={isBusy} isDisabled={isBare} onSubmit={submit} onClose={onClose}>
      <Text color="text.muted">{t(isBare ? 'proof.no-password' : 'proof.help')}</Text>
      {isBare ? null : (
        <TextField
          key={byCode ? 'code' : 'password'}
          label={t(byCode ? 'proof.code' : 'proof.password')}
          {...(byCode ? { help: t('proof.code-help') } : { type: 'password' })}
          autoComplete={byCode ? 'one-time-code' : 'current-password'}
          autoFocus
          value={given}
          onValue={setGiven}
          error={problem}
        />
      )}
      {(data?.passkeys.length ?? 0) > 0 && canUsePasskeys() ? (
        <Button type="button" variant="outline" onClick={withPasskey}>
          <Fingerprint aria-hidden />
          {t('proof.passkey')}
        </Button>
      ) : null}
    </FormDialog>
  )
}
