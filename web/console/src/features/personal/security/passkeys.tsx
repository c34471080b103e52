import { Button, Skeleton, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { passkeys, twoFactor, type Passkey } from '@tollgate/contracts/resources/two-factor'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { timeText } from '@tollgate/domain/display/time-text'
import { call } from '../../../lib/api.ts'
import { addPasskey, canUsePasskeys } from '../../../lib/passkey.ts'
import { refresh } from '../../../lib/query-client.ts'
import { failureText, report } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'
import { useConfirm } from '../../../ui/overlay/use-confirm.tsx'
import { Panel, PanelRow } from '../../../ui/page/panel.tsx'
import { twoFactorState } from './api.ts'
import { useProof } from './use-proof.tsx'

/** The passkeys of the account; the state of two-step verification, which holds them, tells a failed load. */
export function Passkeys(): ReactNode {
  const { t } = useTranslation('security')
  const client = useQueryClient()
  const { data, isPending } = useQuery(twoFactorState)
  const { guarded, dialog: proof } = useProof()
  const confirm = useConfirm()
  const [isAdding, setAdding] = useState(false)
  const canAdd = canUsePasskeys()
  const remove = async ({ id }: Passkey): Promise<void> => {
    await guarded(() => call(passkeys.remove, { params: { id } }))
    toast.success(t('passkeys.removed'))
    await refresh(client, twoFactor.get)
  }
  const ask = (passkey: Passkey): void =>
    confirm.ask({
      title: t('passkeys.remove-title', { name: passkey.name }),
      help: t('passkeys.remove-help'),
      confirm: t('passkeys.remove'),
      // Not awaited: the question closes first, because a proof may be asked for.
      run: () => void remove(passkey).catch(report),
    })
  const add = (
    <Button size="sm" variant="outline" onClick={() => setAdding(true)}>
      {t('passkeys.add')}
    </Button>
  )
  return (
    <Panel title={t('passkeys.title')} help={t('passkeys.help')} action={canAdd ? add : undefined} isFlush>
      {isPending ? <Skeleton height="12" m="4" /> : null}
      {data?.passkeys.length === 0 ? (
        <Text px="4" py="3" color="text.muted">
          {t(canAdd ? 'passkeys.none' : 'passkeys.unavailable')}
        </Text>
      ) : null}
      {data?.passkeys.map((passkey) => (
        <PanelRow
          key={passkey.id}
          title={passkey.name}
          action={
            <Button
              size="sm"
              variant="ghost"
              colorPalette="danger"
              aria-label={`${t('passkeys.remove')} ${passkey.name}`}
              onClick={() => ask(passkey)}
            >
              {t('passkeys.remove')}
            </Button>
          }
        >
          {t('passkeys.created', { time: timeText(passkey.created_at) })}
          {' · '}
          {passkey.last_used_at === 0 ? t('passkeys.unused') : t('passkeys.used', { time: timeText(passkey.last_used_at) })}
        </PanelRow>
      ))}
      {isAdding ? <AddPasskey guarded={guarded} onClose={() => setAdding(false)} /> : null}
      {confirm.dialog}
      {proof}
    </Panel>
  )
}

type AddPasskeyProps = { readonly guarded: ReturnType<typeof useProof>['guarded']; readonly onClose: () => void }

function AddPasskey({ guarded, onClose }: AddPasskeyProps): ReactNode {
  const { t } = useTranslation('security')
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await guarded(() => addPasskey(name.trim() === '' ? t('passkeys.default-name') : name.trim()))
      toast.success(t('passkeys.added'))
      onClose()
      await refresh(client, twoFactor.get)
    } catch (error) {
      setProblem(failureText(error))
      setBusy(false)
    }
  }
  return (
    <FormDialog title={t('passkeys.add')} submit={t('passkeys.add')} isBusy={isBusy} onSubmit={() => void submit()} onClose={onClose}>
      <TextField
        label={t('passkeys.name')}
        help={t('passkeys.name-help')}
        autoFocus
        maxLength={40}
        value={name}
        onValue={setName}
        error={problem}
      />
    </FormDialog>
  )
}
