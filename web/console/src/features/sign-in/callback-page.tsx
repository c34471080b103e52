import { Flex, Spinner, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { RedirectProvider } from '@tollgate/contracts/resources/oauth'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api-error.ts'
import { failureText } from '../../lib/report.ts'
import { takeAddress } from '../../lib/return-address.ts'
import { isRoot, session } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { callbackOf, keepSignedIn, needsCode } from './api.ts'

type CallbackProps = { readonly provider: RedirectProvider; readonly given: URLSearchParams }

/** Where a provider's page sends the browser back to: says that it works, and goes on when the server has answered. */
export function CallbackPage({ provider, given }: CallbackProps): ReactNode {
  const { t } = useTranslation(['third-party', 'sign-in'])
  const navigate = useNavigate()
  const router = useRouter()
  const answer = useQuery(callbackOf(provider, given))
  const { error, data } = answer
  useEffect(() => {
    if (needsCode(error)) {
      void navigate({ to: '/login', search: { step: 'code' }, replace: true })
    } else if (error !== null) {
      const text = isStale(error) ? t('callback.stale') : failureText(error)
      // One toast, because a second one would replace it.
      toast.error(text === undefined ? t('callback.failed') : `${text} — ${t('callback.failed')}`)
      void navigate({ to: '/setting', replace: true })
    } else if (data === null) {
      toast.success(t('callback.bound'))
      // Others have no settings of the site; their bindings are on the page of the account.
      void navigate({ to: isRoot(session.user()) ? '/setting' : '/personal', replace: true })
    } else if (data !== undefined) {
      keepSignedIn(data)
      toast.success(t('sign-in:signed-in'))
      router.history.replace(takeAddress())
    }
  }, [data, error, navigate, router, t])
  return (
    <Flex as="main" id="content" flex="1" direction="column" align="center" justify="center" gap="3" px="4" py="10" role="status">
      <Spinner size="lg" color="accent.solid" />
      <Text textStyle="section" color="text.strong">
        {t('callback.title')}
      </Text>
      <Text color="text.muted" textAlign="center">
        {t('callback.help', { provider: t(`name.${provider}`) })}
      </Text>
    </Flex>
  )
}

/** A state that was used, is older than five minutes or belongs to another browser. */
function isStale(error: Error): boolean {
  return error instanceof ApiError && error.failure.kind === 'http' && error.failure.status === 403
}
