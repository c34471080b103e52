import { Button, Flex, Separator, Text } from '@chakra-ui/react'
import { useNavigate } from '@tanstack/react-router'
import type { Provider, TelegramQuery } from '@tollgate/contracts/resources/oauth'
import { Fingerprint } from 'lucide-react'
import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { canUsePasskeys, signInWithPasskey } from '../../lib/passkey.ts'
import { report } from '../../lib/report.ts'
import { useSiteStatus } from '../../lib/status.ts'
import { goToProvider, isRedirectProvider, offeredProviders, signInWithTelegram, signInWithWechat } from '../../lib/third-party.ts'
import { toast } from '../../lib/toast.ts'
import { ProviderIcon } from '../../ui/third-party/provider-icon.tsx'
import { keepSignedIn, needsCode } from './api.ts'

const WechatDialog = lazy(async () => ({ default: (await import('../../ui/third-party/wechat-dialog.tsx')).WechatDialog }))
const TelegramWidget = lazy(async () => ({ default: (await import('../../ui/third-party/telegram-widget.tsx')).TelegramWidget }))

type ThirdPartyProps = {
  readonly onSecondStep: () => void
  /** Without the passkey button: a new account has none. */
  readonly isSignUp?: boolean
}

/** The buttons of the providers that are on; nothing while all are off. */
export function ThirdParty({ onSecondStep, isSignUp = false }: ThirdPartyProps): ReactNode {
  const { t, i18n } = useTranslation('third-party')
  const status = useSiteStatus()
  const [busy, setBusy] = useState<Provider | undefined>(undefined)
  const [isWechatOpen, setWechatOpen] = useState(false)
  const arrive = useArrive()
  const fail = useCallback((error: unknown) => (needsCode(error) ? onSecondStep() : report(error)), [onSecondStep])
  const onTelegram = useCallback((user: TelegramQuery) => void signInWithTelegram(user).then(arrive, fail), [arrive, fail])
  const offered = offeredProviders(status)
  const hasPasskeys = !isSignUp && canUsePasskeys()
  if (status === undefined || (offered.length === 0 && !hasPasskeys)) return null
  const go = (provider: Provider): void => {
    if (!isRedirectProvider(provider)) return setWechatOpen(true)
    setBusy(provider)
    void goToProvider(provider, 'sign-in')
      .catch(report)
      .finally(() => setBusy(undefined))
  }
  return (
    <Flex direction="column" gap="2.5" mt="5" data-third-party>
      <Flex align="center" gap="3" mb="1">
        <Separator flex="1" />
        <Text textStyle="xs" color="text.muted">
          {t('or')}
        </Text>
        <Separator flex="1" />
      </Flex>
      {hasPasskeys ? (
        <Button size="lg" variant="outline" w="full" onClick={() => void signInWithPasskey().then(arrive, fail)}>
          <Fingerprint aria-hidden />
          {t('passkey.log-in')}
        </Button>
      ) : null}
      {offered
        .filter((provider) => provider !== 'telegram')
        .map((provider) => (
          <Button key={provider} size="lg" variant="outline" w="full" loading={busy === provider} onClick={() => go(provider)}>
            <ProviderIcon provider={provider} />
            {t(`log-in.${provider}`)}
          </Button>
        ))}
      <Suspense fallback={null}>
        {offered.includes('telegram') && status.telegram_bot_name !== '' ? (
          <TelegramWidget bot={status.telegram_bot_name} language={i18n.language} onUser={onTelegram} />
        ) : null}
        {isWechatOpen ? (
          <WechatDialog
            purpose="log-in"
            qrcode={status.wechat_qrcode}
            onClose={() => setWechatOpen(false)}
            onCode={async (code) => {
              try {
                arrive(await signInWithWechat(code))
              } catch (error) {
                if (!needsCode(error)) throw error
                onSecondStep()
              }
            }}
          />
        ) : null}
      </Suspense>
    </Flex>
  )
}

/** After a sign-in without a page of its own: stores the user and goes home. */
function useArrive() {
  const { t } = useTranslation('sign-in')
  const navigate = useNavigate()
  return useCallback(
    (user: Parameters<typeof keepSignedIn>[0]) => {
      keepSignedIn(user)
      toast.success(t('signed-in'))
      void navigate({ to: '/' })
    },
    [navigate, t],
  )
}
