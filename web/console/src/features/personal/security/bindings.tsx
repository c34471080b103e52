import { Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { oauth, type Provider, type TelegramQuery } from '@tollgate/contracts/resources/oauth'
import { self } from '@tollgate/contracts/resources/self'
import type { User } from '@tollgate/contracts/resources/users'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, callForRedirect } from '../../../lib/api.ts'
import { refresh } from '../../../lib/query-client.ts'
import { report } from '../../../lib/report.ts'
import { useSiteStatus } from '../../../lib/status.ts'
import { ALL_PROVIDERS, goToProvider, isRedirectProvider, offeredProviders } from '../../../lib/third-party.ts'
import { toast } from '../../../lib/toast.ts'
import { useConfirm } from '../../../ui/overlay/use-confirm.tsx'
import { Panel, PanelRow } from '../../../ui/page/panel.tsx'
import { BindEmailDialog } from './bind-email-dialog.tsx'
import { useProof } from './use-proof.tsx'

const WechatDialog = lazy(async () => ({ default: (await import('../../../ui/third-party/wechat-dialog.tsx')).WechatDialog }))
const TelegramWidget = lazy(async () => ({ default: (await import('../../../ui/third-party/telegram-widget.tsx')).TelegramWidget }))

type Binding = Provider | 'email'
const ROWS: readonly Binding[] = ['email', 'wechat', ...ALL_PROVIDERS.filter((provider) => provider !== 'wechat')]
const FIELDS = {
  email: 'email',
  wechat: 'wechat_id',
  github: 'github_id',
  oidc: 'oidc_id',
  telegram: 'telegram_id',
  linuxdo: 'linux_do_id',
} as const satisfies Record<Binding, keyof User>

type RowProps = {
  readonly provider: Binding
  readonly bound: string
  readonly canBind: boolean
  readonly onBind: () => void
  readonly onUnbind: () => void
  readonly children: ReactNode
}

function BindingRow({ provider, bound, canBind, onBind, onUnbind, children }: RowProps): ReactNode {
  const { t } = useTranslation('security')
  const name = t(`bindings.name.${provider}`)
  const bind = bound === '' ? t('bindings.bind') : t('bindings.change')
  return (
    <PanelRow
      title={name}
      action={
        <>
          {canBind && (bound === '' || provider === 'email') ? (
            <Button size="sm" variant="outline" aria-label={`${bind} ${name}`} onClick={onBind}>
              {bind}
            </Button>
          ) : null}
          {bound === '' ? null : (
            <Button size="sm" variant="ghost" colorPalette="danger" aria-label={`${t('bindings.unbind')} ${name}`} onClick={onUnbind}>
              {t('bindings.unbind')}
            </Button>
          )}
        </>
      }
    >
      {bound !== '' ? bound : canBind ? t('bindings.none') : t('bindings.off')}
      {children}
    </PanelRow>
  )
}

/** Effects of binding and unbinding; `onBound` closes what asked for it. */
function useBindings(guarded: ReturnType<typeof useProof>['guarded'], onBound: () => void) {
  const { t } = useTranslation(['security', 'third-party'])
  const client = useQueryClient()
  const done = async (text: string): Promise<void> => {
    toast.success(text)
    onBound()
    await refresh(client, self.get)
  }
  return {
    byTelegram: async (user: TelegramQuery): Promise<void> => {
      const state = await guarded(() => call(oauth.telegramState, {}))
      await callForRedirect(oauth.bindTelegram, { query: { ...user, state } })
      await done(t('bindings.telegram-bound'))
    },
    byWechat: async (code: string): Promise<void> => {
      await guarded(() => call(oauth.bindWechat, { query: { code } }))
      await done(t('third-party:wechat.bound'))
    },
    unbind: async (provider: Binding): Promise<void> => {
      await guarded(() => call(oauth.unbind, { body: { provider } }))
      await done(t('bindings.unbound'))
    },
  }
}

/** E-mail and the accounts at third parties: what is bound, and the way to bind and unbind. */
export function Bindings({ account }: { readonly account: User }): ReactNode {
  const { t, i18n } = useTranslation('security')
  const status = useSiteStatus()
  const { guarded, dialog: proof } = useProof()
  const confirm = useConfirm()
  const [open, setOpen] = useState<Binding | undefined>(undefined)
  const close = (): void => setOpen(undefined)
  const bindings = useBindings(guarded, close)
  const offered: readonly Binding[] = ['email', ...offeredProviders(status)]
  const bind = (provider: Binding): void => {
    if (isRedirectProvider(provider)) void guarded(() => goToProvider(provider, 'bind')).catch(report)
    else setOpen(provider)
  }
  const unbind = (provider: Binding): void =>
    confirm.ask({
      title: t('bindings.unbind-title', { name: t(`bindings.name.${provider}`) }),
      help: t('bindings.unbind-help', { account: t(`bindings.name.${provider}`) }),
      confirm: t('bindings.unbind'),
      // Not awaited: the question closes first, because a proof may be asked for.
      run: () => void bindings.unbind(provider).catch(report),
    })
  return (
    <Panel title={t('bindings.title')} help={t('bindings.help')} isFlush>
      {ROWS.map((provider) => (
        <BindingRow
          key={provider}
          provider={provider}
          bound={account[FIELDS[provider]]}
          canBind={offered.includes(provider)}
          onBind={() => bind(provider)}
          onUnbind={() => unbind(provider)}
        >
          {open === 'telegram' && provider === 'telegram' ? (
            <Suspense fallback={null}>
              <TelegramWidget
                bot={status?.telegram_bot_name ?? ''}
                language={i18n.language}
                onUser={(user) => void bindings.byTelegram(user).catch(report)}
              />
            </Suspense>
          ) : null}
        </BindingRow>
      ))}
      {open === 'email' ? <BindEmailDialog guarded={guarded} onClose={close} /> : null}
      {open === 'wechat' ? (
        <Suspense fallback={null}>
          <WechatDialog purpose="bind" qrcode={status?.wechat_qrcode ?? ''} onClose={close} onCode={bindings.byWechat} />
        </Suspense>
      ) : null}
      {confirm.dialog}
      {proof}
    </Panel>
  )
}
