import { chakra } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import type { ChannelKey } from '@tollgate/contracts/channels/channel-keys'
import { parseTimeText, timeText } from '@tollgate/domain/display/time-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { ChoiceField } from '../../../ui/form/labelled-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { TimeField } from '../../../ui/form/time-box.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'
import { addKeys, changeKeys, rotateKey } from './keys-api.ts'

export type WantedKeyDialog = { readonly kind: 'add' } | { readonly kind: 'disable' | 'rotate' | 'expire'; readonly key: ChannelKey }

const OVERLAPS = ['0', '1', '24', '168'] as const
type Draft = { readonly keys: string; readonly reason: string; readonly expires: string; readonly overlap: (typeof OVERLAPS)[number] }

/** Asks for what a change of a channel's keys needs, and makes it. */
export function KeyDialog({ channel_id, wanted, onClose }: KeyDialogProps): ReactNode {
  const { t } = useTranslation(['channel-keys', 'display'])
  const client = useQueryClient()
  const [draft, setDraft] = useState<Draft>(() => draftFor(wanted))
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const set = (change: Partial<Draft>): void => {
    setDraft({ ...draft, ...change })
    setProblem(undefined)
  }
  const submit = async (): Promise<void> => {
    const expires_at = draft.expires.trim() === '' ? null : parseTimeText(draft.expires)
    if (expires_at === undefined) return setProblem(t('time-error'))
    if ((wanted.kind === 'add' || wanted.kind === 'rotate') && draft.keys.trim() === '') return setProblem(t('keys-error'))
    setBusy(true)
    try {
      if (wanted.kind === 'add') {
        const { added, known } = await addKeys(client, channel_id, { keys: draft.keys, expires_at })
        toast.success(t('added', { count: added, known }))
        return onClose()
      }
      const { key_id } = wanted.key
      if (wanted.kind === 'rotate') await rotateKey(client, channel_id, { key_id, key: draft.keys, overlap_hours: Number(draft.overlap) })
      else if (wanted.kind === 'expire') await changeKeys(client, channel_id, { key_ids: [key_id], action: 'expire', expires_at })
      else await changeKeys(client, channel_id, { key_ids: [key_id], action: 'disable', reason: draft.reason })
      toast.success(t('done'))
      onClose()
    } catch (error) {
      setProblem(failureText(error))
    } finally {
      setBusy(false)
    }
  }
  const title = wanted.kind === 'add' ? t('add-title') : t(`${wanted.kind}-title`, { tail: wanted.key.tail })
  const confirm = wanted.kind === 'add' ? t('add') : wanted.kind === 'expire' ? t('display:action.save') : t(`action.${wanted.kind}`)
  return (
    <FormDialog title={title} submit={confirm} isBusy={isBusy} onSubmit={() => void submit()} onClose={onClose}>
      <KeyFields kind={wanted.kind} draft={draft} problem={problem} onChange={set} />
    </FormDialog>
  )
}

type KeyDialogProps = { readonly channel_id: number; readonly wanted: WantedKeyDialog; readonly onClose: () => void }

type KeyFieldsProps = {
  readonly kind: WantedKeyDialog['kind']
  readonly draft: Draft
  readonly problem: string | undefined
  readonly onChange: (change: Partial<Draft>) => void
}

function KeyFields({ kind, draft, problem, onChange }: KeyFieldsProps): ReactNode {
  const { t } = useTranslation('channel-keys')
  const expires = (error: string | undefined): ReactNode => (
    <TimeField
      label={t('expires')}
      help={t('expires-help')}
      value={draft.expires}
      error={error}
      placeholder="yyyy-mm-dd hh:mm:ss"
      field="expires"
      onValue={(text) => onChange({ expires: text })}
    />
  )
  switch (kind) {
    case 'disable':
      return (
        <TextField
          label={t('reason')}
          help={t('reason-help')}
          autoFocus
          maxLength={200}
          value={draft.reason}
          error={problem}
          onValue={(reason) => onChange({ reason })}
        />
      )
    case 'expire':
      return expires(problem)
    case 'add':
      return (
        <>
          <TextField
            label={t('add-keys')}
            help={t('add-keys-help')}
            rows={6}
            required
            value={draft.keys}
            error={problem}
            onValue={(keys) => onChange({ keys })}
          />
          {expires(undefined)}
        </>
      )
    case 'rotate':
      return (
        <>
          <chakra.p color="text.muted">{t('rotate-help')}</chakra.p>
          <TextField
            label={t('rotate-key')}
            required
            autoFocus
            autoComplete="off"
            fontFamily="mono"
            value={draft.keys}
            error={problem}
            onValue={(keys) => onChange({ keys })}
          />
          <ChoiceField
            label={t('overlap')}
            value={draft.overlap}
            onValue={(value) => onChange({ overlap: OVERLAPS.find((known) => known === value) ?? '24' })}
            choices={OVERLAPS.map((value) => ({ value, label: t(`overlaps.${value}`) }))}
          />
        </>
      )
  }
}

function draftFor(wanted: WantedKeyDialog): Draft {
  const expires = wanted.kind !== 'expire' || wanted.key.expires_at === 0 ? '' : timeText(wanted.key.expires_at)
  return { keys: '', reason: '', expires, overlap: '24' }
}
