import { Alert, Box, Button, chakra, Flex, Heading, Link as ChakraLink } from '@chakra-ui/react'
import { Link, useRouter } from '@tanstack/react-router'
import { Eye, EyeOff } from 'lucide-react'
import { lazy, Suspense, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { report } from '../../lib/report.ts'
import { ROOT } from '../../lib/session.ts'
import { useBrand, useSiteStatus } from '../../lib/status.ts'
import { takeAddress } from '../../lib/return-address.ts'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { needsCode, useSignIn, type Credentials } from './api.ts'
import { isDefaultPassword } from './default-password.ts'
import { SecondStep } from './second-step.tsx'
import { ThirdParty } from './third-party.tsx'

const HumanCheck = lazy(async () => ({ default: (await import('../../ui/form/human-check.tsx')).HumanCheck }))

type LoginPageProps = {
  readonly isExpired: boolean
  /** A sign-in at a provider needs a code now. */
  readonly isSecondStep: boolean
}

export function LoginPage({ isExpired, isSecondStep }: LoginPageProps): ReactNode {
  const { t } = useTranslation('sign-in')
  const { name, logo } = useBrand()
  const [needsSecond, setSecond] = useState(isSecondStep)
  const askForCode = (): void => setSecond(true)
  return (
    <Flex as="main" id="content" flex="1" align="center" justify="center" px="4" py="10">
      <Box w="full" maxW="sm">
        <Flex direction="column" align="center" gap="3" mb="6">
          <chakra.img src={logo} alt="" boxSize="10" borderRadius="panel" objectFit="contain" />
          <Heading as="h1" textStyle="title" color="text.strong" textAlign="center">
            {t('title', { name })}
          </Heading>
        </Flex>
        {isExpired ? (
          <Alert.Root status="warning" mb="4">
            <Alert.Indicator />
            <Alert.Content>
              <Alert.Title fontWeight="normal">{t('expired')}</Alert.Title>
            </Alert.Content>
          </Alert.Root>
        ) : null}
        <Box bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel" p={{ base: '5', sm: '6' }}>
          {needsSecond ? (
            <SecondStep onBack={() => setSecond(false)} />
          ) : (
            <>
              <SignInForm onSecondStep={askForCode} />
              <ThirdParty onSecondStep={askForCode} />
            </>
          )}
        </Box>
        <OtherWays />
      </Box>
    </Flex>
  )
}

/** To the pages for people who cannot sign in yet. */
function OtherWays(): ReactNode {
  const { t } = useTranslation('sign-in')
  const isSelfUse = useSiteStatus()?.self_use_mode_enabled === true
  return (
    <Flex mt="4" gap="4" justify="center" wrap="wrap" textStyle="sm">
      {isSelfUse ? null : (
        <ChakraLink asChild>
          <Link to="/register">{t('register')}</Link>
        </ChakraLink>
      )}
      <ChakraLink asChild>
        <Link to="/reset">{t('forgot-password')}</Link>
      </ChakraLink>
    </Flex>
  )
}

function SignInForm({ onSecondStep }: { readonly onSecondStep: () => void }): ReactNode {
  const { t, i18n } = useTranslation('sign-in')
  const status = useSiteStatus()
  const [credentials, setCredentials] = useState<Credentials>({ username: '', password: '' })
  const [isShown, setShown] = useState(false)
  const [token, setToken] = useState('')
  const [round, setRound] = useState(0)
  const isChecked = status?.turnstile_check === true
  const renew = (): void => {
    setToken('')
    setRound((before) => before + 1)
  }
  const submit = useSubmit(credentials, isChecked ? token : undefined, { renew, onSecondStep })
  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="4" onSubmit={submit.onSubmit}>
      <TextField
        size="lg"
        label={t('username-or-email')}
        name="username"
        autoComplete="username"
        autoFocus
        value={credentials.username}
        onValue={(username) => setCredentials({ ...credentials, username })}
      />
      <TextField
        size="lg"
        label={t('password')}
        name="password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        value={credentials.password}
        onValue={(password) => setCredentials({ ...credentials, password })}
        unit={
          <IconButton size="sm" label={isShown ? t('hide-password') : t('show-password')} onClick={() => setShown(!isShown)}>
            {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          </IconButton>
        }
      />
      {isChecked ? (
        <Suspense fallback={<Box minH="16" />}>
          <HumanCheck key={round} siteKey={status.turnstile_site_key} language={i18n.language} onToken={setToken} />
        </Suspense>
      ) : null}
      <Button type="submit" size="lg" w="full" mt="1" loading={submit.isPending}>
        {t('submit')}
      </Button>
    </chakra.form>
  )
}

/** `token` is what the human check gave so far, undefined while that is off; a refused sign-in has used it up. */
function useSubmit(
  credentials: Credentials,
  token: string | undefined,
  { renew, onSecondStep }: { readonly renew: () => void; readonly onSecondStep: () => void },
): { readonly onSubmit: (event: FormEvent) => void; readonly isPending: boolean } {
  const { t } = useTranslation(['sign-in', 'common'])
  const { mutate, isPending } = useSignIn()
  const router = useRouter()
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (isPending) {
      toast.warning(t('common:submit-twice'))
      return
    }
    if (credentials.username.trim() === '' || credentials.password === '') {
      toast.error(t('both-required'))
      return
    }
    if (token === '') {
      toast.info(t('human-check'))
      return
    }
    mutate(
      { credentials, turnstile: token ?? '' },
      {
        onError: (error) => {
          if (needsCode(error)) return onSecondStep()
          report(error)
          renew()
        },
        onSuccess: (user) => {
          toast.success(t('signed-in'))
          if (user.role >= ROOT && isDefaultPassword(credentials)) toast.warning(t('default-password'))
          router.history.push(takeAddress())
        },
      },
    )
  }
  return { onSubmit, isPending }
}
