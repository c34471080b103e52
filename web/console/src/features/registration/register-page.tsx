import { Button, chakra, Flex, Link as ChakraLink } from '@chakra-ui/react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../../lib/page-title.ts'
import { useBrand, useSiteStatus } from '../../lib/status.ts'
import { toast } from '../../lib/toast.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { Entrance } from '../../ui/page/entrance.tsx'
import { useRegister, useSendCode, type NewAccount } from './api.ts'
import { problemOf } from './problems.ts'
import { useCountdown } from './use-countdown.ts'
import { useHumanCheck, type HumanCheck } from './use-human-check.tsx'

const EMPTY: NewAccount = { username: '', password: '', password2: '', email: '', verification_code: '' }
const RESEND_S = 30

/** `/register`. `others`: the ways to register with a third party. */
export function RegisterPage({ others }: { readonly others?: ReactNode }): ReactNode {
  const { t } = useTranslation('registration')
  const { name } = useBrand()
  usePageTitle(t('register'))
  const links = (
    <>
      {t('have-account')}{' '}
      <ChakraLink asChild>
        <Link to="/login">{t('sign-in')}</Link>
      </ChakraLink>
    </>
  )
  return (
    <Entrance title={t('register-title', { name })} links={links}>
      <RegisterForm />
      {others}
    </Entrance>
  )
}

function RegisterForm(): ReactNode {
  const { t } = useTranslation('registration')
  const needsEmail = useSiteStatus()?.email_verification === true
  const [account, setAccount] = useState(EMPTY)
  const check = useHumanCheck()
  const submit = useSubmit(account, needsEmail, check)
  const bind = (field: keyof NewAccount) => ({
    size: 'lg' as const,
    name: field,
    value: account[field],
    onValue: (value: string) => setAccount((before) => ({ ...before, [field]: value })),
  })
  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="4" onSubmit={submit.onSubmit}>
      <TextField
        label={t('username')}
        autoComplete="username"
        placeholder={t('username-hint')}
        maxLength={50}
        autoFocus
        {...bind('username')}
      />
      <TextField label={t('password')} type="password" autoComplete="new-password" placeholder={t('password-hint')} {...bind('password')} />
      <TextField label={t('password-again')} type="password" autoComplete="new-password" {...bind('password2')} />
      {needsEmail ? (
        <>
          <Flex gap="2" align="flex-end">
            <TextField label={t('email')} type="email" autoComplete="email" {...bind('email')} />
            <CodeButton email={account.email} check={check} />
          </Flex>
          <TextField label={t('code')} autoComplete="one-time-code" spellCheck={false} {...bind('verification_code')} />
        </>
      ) : null}
      {check.widget}
      <Button type="submit" size="lg" w="full" mt="1" loading={submit.isPending}>
        {t('register')}
      </Button>
    </chakra.form>
  )
}

/** An empty address is ignored, as the specification says. */
function CodeButton({ email, check }: { readonly email: string; readonly check: HumanCheck }): ReactNode {
  const { t } = useTranslation('registration')
  const { mutate, isPending } = useSendCode()
  const { seconds, start } = useCountdown(RESEND_S)
  const send = (): void => {
    if (email.trim() === '') return
    const turnstile = check.take()
    if (turnstile === undefined) return
    mutate(
      { email: email.trim(), turnstile },
      {
        onSettled: check.renew,
        onSuccess: () => {
          toast.success(t('code-sent'))
          start()
        },
      },
    )
  }
  return (
    <Button type="button" variant="outline" size="lg" flexShrink="0" disabled={seconds > 0} loading={isPending} onClick={send}>
      {seconds > 0 ? t('resend-in', { seconds }) : t('get-code')}
    </Button>
  )
}

function useSubmit(account: NewAccount, needsEmail: boolean, check: HumanCheck) {
  const { t } = useTranslation(['registration', 'common'])
  const { mutate, isPending } = useRegister()
  const navigate = useNavigate()
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (isPending) {
      toast.warning(t('common:submit-twice'))
      return
    }
    const problem = problemOf(account, needsEmail)
    if (problem !== undefined) {
      toast.error(t(problem))
      return
    }
    const turnstile = check.take()
    if (turnstile === undefined) return
    mutate(
      { ...account, turnstile },
      {
        onError: check.renew,
        onSuccess: () => {
          toast.success(t('registered'))
          void navigate({ to: '/login' })
        },
      },
    )
  }
  return { onSubmit, isPending }
}
