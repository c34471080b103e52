import { Alert, Button, Skeleton } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { twoFactor } from '@tollgate/contracts/resources/two-factor'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { refresh } from '../../../lib/query-client.ts'
import { failureText, report } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { ToneTag } from '../../../ui/display/tone-tag.tsx'
import { useConfirm } from '../../../ui/overlay/use-confirm.tsx'
import { Panel, PanelRow } from '../../../ui/page/panel.tsx'
import { ErrorState } from '../../../ui/page/states.tsx'
import { twoFactorState } from './api.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpSetup, type TotpSecret } from './totp-setup.tsx'
import { useProof } from './use-proof.tsx'

/** Turns the codes of an authenticator app on and off, and renews the recovery codes. */
export function TwoFactor(): ReactNode {
  const { t } = useTranslation('security')
  const client = useQueryClient()
  const state = useQuery(twoFactorState)
  const { guarded, dialog: proof } = useProof()
  const confirm = useConfirm()
  const [secret, setSecret] = useState<TotpSecret | undefined>(undefined)
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined)
  const start = (): void => void guarded(() => call(twoFactor.start, {})).then(setSecret, report)
  const turnOff = async (): Promise<void> => {
    await guarded(() => call(twoFactor.remove, {}))
    toast.success(t('two-factor.turned-off'))
    await refresh(client, twoFactor.get)
  }
  const renew = async (): Promise<void> => {
    setCodes((await guarded(() => call(twoFactor.renewCodes, {}))).recovery_codes)
    await refresh(client, twoFactor.get)
  }
  const ask = (name: 'off' | 'renew', run: () => Promise<void>): void =>
    confirm.ask({
      title: t(`two-factor.${name}-title`),
      help: t(`two-factor.${name}-help`),
      confirm: name === 'off' ? t('two-factor.turn-off') : t('two-factor.renew'),
      // Not awaited: the question closes first, because a proof may be asked for.
      run: () => void run().catch(report),
    })
  const { data, error } = state
  return (
    <Panel title={t('two-factor.title')} help={t('two-factor.help')} isFlush>
      {error === null ? null : <ErrorState message={failureText(error) ?? ''} onRetry={() => void state.refetch()} />}
      {state.isPending ? <Skeleton height="12" m="4" /> : null}
      {data === undefined ? null : (
        <>
          {data.is_required && !data.is_on && data.passkeys.length === 0 ? <Required /> : null}
          <PanelRow
            title={<ToneTag tone={data.is_on ? 'green' : 'grey'}>{t(data.is_on ? 'two-factor.on' : 'two-factor.off')}</ToneTag>}
            action={
              data.is_on ? (
                <>
                  <Button size="sm" variant="outline" onClick={() => ask('renew', renew)}>
                    {t('two-factor.renew')}
                  </Button>
                  <Button size="sm" variant="ghost" colorPalette="danger" onClick={() => ask('off', turnOff)}>
                    {t('two-factor.turn-off')}
                  </Button>
                </>
              ) : (
                <Button size="sm" variant="outline" onClick={start}>
                  {t('two-factor.turn-on')}
                </Button>
              )
            }
          >
            {data.is_on ? t('two-factor.codes-left', { count: data.recovery_codes_left }) : undefined}
          </PanelRow>
        </>
      )}
      {secret === undefined ? null : (
        <TotpSetup
          secret={secret}
          onClose={() => setSecret(undefined)}
          onDone={(given) => {
            setSecret(undefined)
            setCodes(given)
            toast.success(t('two-factor.turned-on'))
            void client.invalidateQueries()
          }}
        />
      )}
      {codes === undefined ? null : <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
      {confirm.dialog}
      {proof}
    </Panel>
  )
}

function Required(): ReactNode {
  const { t } = useTranslation('security')
  return (
    <Alert.Root status="warning" borderRadius="0">
      <Alert.Indicator />
      <Alert.Title fontWeight="normal">{t('two-factor.required')}</Alert.Title>
    </Alert.Root>
  )
}
