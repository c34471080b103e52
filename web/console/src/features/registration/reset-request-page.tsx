import { Alert, Button, chakra, Link as ChakraLink, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../../lib/page-title.ts'
import { toast } from '../../lib/toast.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { Entrance } from '../../ui/page/entrance.tsx'
import { useSendReset } from './api.ts'
import { useCountdown } from './use-countdown.ts'
import { useHumanCheck } from './use-human-check.tsx'

const RESEND_S = 30

/** `/reset`: asks for the mail with the reset link. */
export function ResetRequestPage(): ReactNode {
  const { t } = useTranslation('registration')
  usePageTitle(t('reset-title'))
  return (
    <Entrance
      title={t('reset-title')}
      links={
        <ChakraLink asChild>
          <Link to="/login">{t('back-to-sign-in')}</Link>
        </ChakraLink>
      }
    >
      <RequestForm />
    </Entrance>
  )
}

function RequestForm(): ReactNode {
  const { t } = useTranslation('registration')
  const [email, setEmail] = useState('')
  const check = useHumanCheck()
  const { mutate, isPending, data: message } = useSendReset()
  const { seconds, start } = useCountdown(RESEND_S)
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (isPending || seconds > 0) return
    if (email.trim() === '') {
      toast.error(t('email-required'))
      return
    }
    const turnstile = check.take()
    if (turnstile !== undefined) mutate({ email: email.trim(), turnstile }, { onSettled: check.renew, onSuccess: start })
  }
  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="4" onSubmit={onSubmit}>
      <Text textStyle="sm" color="text.muted">
        {t('reset-help')}
      </Text>
      <TextField size="lg" label={t('email')} type="email" name="email" autoComplete="email" autoFocus value={email} onValue={setEmail} />
      {check.widget}
      <chakra.div aria-live="polite">
        {message === undefined ? null : (
          <Alert.Root status="success">
            <Alert.Indicator />
            <Alert.Content>
              <Alert.Title fontWeight="normal">{message}</Alert.Title>
            </Alert.Content>
          </Alert.Root>
        )}
      </chakra.div>
      <Button type="submit" size="lg" w="full" disabled={seconds > 0} loading={isPending}>
        {seconds > 0 ? t('resend-in', { seconds }) : t('send-reset')}
      </Button>
    </chakra.form>
  )
}
