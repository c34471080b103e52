import type { User } from '@tollgate/contracts/resources/users'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { session } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { useOwnChanges } from './api.ts'

/** The own names: the one to sign in with and the one that is shown. */
export function NameDialog({ account, onClose }: { readonly account: User; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('personal')
  const { update } = useOwnChanges()
  const [username, setUsername] = useState(account.username)
  const [shown, setShown] = useState(account.display_name)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const submit = async (): Promise<void> => {
    if (username.trim() === '') return setProblem(t('account.error-username'))
    try {
      await update.mutateAsync({ username: username.trim(), display_name: shown.trim() })
      const stored = session.user()
      if (stored !== undefined) session.start({ ...stored, username: username.trim(), display_name: shown.trim() })
      toast.success(t('account.saved'))
      onClose()
    } catch (error) {
      setProblem(failureText(error))
    }
  }
  return (
    <FormDialog
      title={t('account.names')}
      submit={t('account.save')}
      isBusy={update.isPending}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label={t('username')}
        help={t('account.username-help')}
        autoComplete="username"
        autoFocus
        maxLength={64}
        value={username}
        onValue={setUsername}
        error={problem}
      />
      <TextField label={t('account.display-name')} help={t('account.display-name-help')} maxLength={64} value={shown} onValue={setShown} />
    </FormDialog>
  )
}

const EMPTY = { original: '', password: '', again: '' }
type PasswordProblem = { readonly field: keyof typeof EMPTY; readonly text: string }

/** `guarded` runs work that needs a proof first, as a new password does with two-step verification. */
type PasswordProps = { readonly guarded: <T>(work: () => Promise<T>) => Promise<T>; readonly onClose: () => void }

/** A new password ends all other sessions; this browser stays signed in. */
export function PasswordDialog({ guarded, onClose }: PasswordProps): ReactNode {
  const { t } = useTranslation('personal')
  const { update } = useOwnChanges()
  const [values, setValues] = useState(EMPTY)
  const [problem, setProblem] = useState<PasswordProblem | undefined>(undefined)
  const submit = async (): Promise<void> => {
    const { original, password, again } = values
    if ([...password].length < 8 || [...password].length > 20) return setProblem({ field: 'password', text: t('password.error-length') })
    if (password !== again) return setProblem({ field: 'again', text: t('password.error-differ') })
    try {
      await guarded(() => update.mutateAsync({ password, original_password: original }))
      toast.success(t('password.changed'))
      onClose()
    } catch (error) {
      setProblem({ field: 'original', text: failureText(error) ?? '' })
    }
  }
  const field = (name: keyof typeof EMPTY) => ({
    type: 'password',
    value: values[name],
    onValue: (text: string) => {
      setValues({ ...values, [name]: text })
      setProblem(undefined)
    },
    error: problem?.field === name ? problem.text : undefined,
  })
  return (
    <FormDialog
      title={t('password.title')}
      submit={t('password.submit')}
      isBusy={update.isPending}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label={t('password.original')}
        help={t('password.original-help')}
        autoComplete="current-password"
        autoFocus
        {...field('original')}
      />
      <TextField label={t('password.new')} help={t('password.new-help')} autoComplete="new-password" {...field('password')} />
      <TextField label={t('password.again')} autoComplete="new-password" {...field('again')} />
    </FormDialog>
  )
}
