import { Box, Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { oauth } from '@tollgate/contracts/resources/oauth'
import { registration } from '@tollgate/contracts/resources/registration'
import { self } from '@tollgate/contracts/resources/self'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { refresh } from '../../../lib/query-client.ts'
import { failureText } from '../../../lib/report.ts'
import { useSiteStatus } from '../../../lib/status.ts'
import { toast } from '../../../lib/toast.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'

const HumanCheck = lazy(async () => ({ default: (await import('../../../ui/form/human-check.tsx')).HumanCheck }))
/** A new code can be asked for after this long. */
const RESEND_S = 30

type BindEmailProps = { readonly guarded: <T>(work: () => Promise<T>) => Promise<T>; readonly onClose: () => void }

type Problem = { readonly field: 'email' | 'code'; readonly text: string }

/** The two steps: a code is mailed, and the code binds the address. `token` is the human check's answer, undefined while that is off. */
function useBindEmail({ guarded, onClose }: BindEmailProps, { email, code }: { readonly email: string; readonly code: string }) {
  const { t } = useTranslation('security')
  const client = useQueryClient()
  const [seconds, wait] = useCountdown()
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const [busy, setBusy] = useState<'send' | 'bind' | undefined>(undefined)
  const run = async (step: 'send' | 'bind', work: () => Promise<void>): Promise<void> => {
    setBusy(step)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem({ field: step === 'send' ? 'email' : 'code', text: failureText(error) ?? '' })
    } finally {
      setBusy(undefined)
    }
  }
  const send = async (token: string | undefined): Promise<void> => {
    if (email === '') return setProblem({ field: 'email', text: t('email.email-required') })
    if (token === '') return toast.info(t('email.human-check'))
    await run('send', async () => {
      await call(registration.sendCode, { query: { email, turnstile: token ?? '' } })
      toast.success(t('email.sent'))
      wait()
    })
  }
  const bind = async (): Promise<void> => {
    if (email === '') return setProblem({ field: 'email', text: t('email.email-required') })
    if (code === '') return setProblem({ field: 'code', text: t('email.code-required') })
    await run('bind', async () => {
      await guarded(() => call(oauth.bindEmail, { query: { email, code } }))
      toast.success(t('email.bound'))
      onClose()
      await refresh(client, self.get)
    })
  }
  return { send, bind, busy, seconds, problemOf: (field: Problem['field']) => (problem?.field === field ? problem.text : undefined) }
}

/** The seconds until a new code may be asked for, and the way to start them. */
function useCountdown(): readonly [number, () => void] {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (seconds === 0) return undefined
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds])
  return [seconds, () => setSeconds(RESEND_S)]
}

/** Binds an address that the code, which is mailed to it, proves to be the caller's. */
export function BindEmailDialog(props: BindEmailProps): ReactNode {
  const { t, i18n } = useTranslation('security')
  const status = useSiteStatus()
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [token, setToken] = useState('')
  const [round, setRound] = useState(0)
  const isChecked = status?.turnstile_check === true
  const { send, bind, busy, seconds, problemOf } = useBindEmail(props, { email: email.trim(), code: code.trim() })
  const sendCode = async (): Promise<void> => {
    await send(isChecked ? token : undefined)
    setToken('')
    setRound((before) => before + 1)
  }
  return (
    <FormDialog
      title={t('email.title')}
      submit={t('email.submit')}
      isBusy={busy === 'bind'}
      onSubmit={() => void bind()}
      onClose={props.onClose}
    >
      <TextField
        label={t('email.email')}
        type="email"
        autoComplete="email"
        autoFocus
        value={email}
        onValue={setEmail}
        error={problemOf('email')}
      />
      {isChecked ? (
        <Suspense fallback={<Box minH="16" />}>
          <HumanCheck key={round} siteKey={status.turnstile_site_key} language={i18n.language} onToken={setToken} />
        </Suspense>
      ) : null}
      <Button type="button" variant="outline" loading={busy === 'send'} disabled={seconds > 0} onClick={() => void sendCode()}>
        {seconds > 0 ? t('email.resend', { seconds }) : t('email.get-code')}
      </Button>
      <TextField label={t('email.code')} autoComplete="one-time-code" value={code} onValue={setCode} error={problemOf('code')} />
    </FormDialog>
  )
}
