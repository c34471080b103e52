import { Button, chakra, Text } from '@chakra-ui/react'
import { useRouter } from '@tanstack/react-router'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/api.ts'
import { failureText, report } from '../../lib/report.ts'
import { takeAddress } from '../../lib/return-address.ts'
import { toast } from '../../lib/toast.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { keepSignedIn } from './api.ts'

/** After the first factor: the code of an authenticator app, or a recovery code. */
export function SecondStep({ onBack }: { readonly onBack: () => void }): ReactNode {
  const { t } = useTranslation('sign-in')
  const router = useRouter()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (code.trim() === '') return setProblem(t('second-step.required'))
    setBusy(true)
    setProblem(undefined)
    try {
      keepSignedIn(await call(signIn.secondStep, { body: { code: code.trim() } }))
      toast.success(t('signed-in'))
      router.history.push(takeAddress())
    } catch (error) {
      if (isExpired(error)) {
        report(error)
        return onBack()
      }
      setProblem(failureText(error))
      setBusy(false)
    }
  }
  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="4" onSubmit={(event: FormEvent) => void submit(event)}>
      <div>
        <Text as="h2" textStyle="section" color="text.strong" mb="1">
          {t('second-step.title')}
        </Text>
        <Text textStyle="sm" color="text.muted">
          {t('second-step.help')}
        </Text>
      </div>
      <TextField
        size="lg"
        label={t('second-step.code')}
        name="code"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onValue={setCode}
        error={problem}
      />
      <Button type="submit" size="lg" w="full" loading={isBusy}>
        {t('second-step.submit')}
      </Button>
      <Button type="button" variant="ghost" onClick={onBack}>
        {t('second-step.back')}
      </Button>
    </chakra.form>
  )
}

/** The first factor was given too long ago, or password or role were changed since. */
function isExpired(error: unknown): boolean {
  return error instanceof ApiError && error.failure.kind === 'refused' && error.failure.field === 'expired'
}
