import { Button, chakra } from '@chakra-ui/react'
import type { RunResult } from '@tollgate/contracts/channels/channel-runs'
import { Check } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { SwitchField } from '../../../ui/form/labelled-field.tsx'
import { useConfirm } from '../../../ui/overlay/use-confirm.tsx'
import { useApplyModels } from '../api.ts'

/** How one channel's models differ from its vendor's. */
export type ChannelDiff = {
  readonly channel_id: number
  readonly name: string
  readonly fresh: readonly string[]
  readonly gone: readonly string[]
}

export const toDiffs = (results: readonly RunResult[]): readonly ChannelDiff[] =>
  results.flatMap(({ channel_id, name, fresh = [], gone = [] }) =>
    fresh.length + gone.length === 0 ? [] : [{ channel_id, name, fresh, gone }],
  )

/** Adds what the vendors have and removes what they no longer have, after a question that says how much. */
export function ApplyModels({ rows, onDone }: { readonly rows: readonly ChannelDiff[]; readonly onDone?: () => void }): ReactNode {
  const { t } = useTranslation('channel-runs')
  const [isAdding, setAdding] = useState(true)
  const [isRemoving, setRemoving] = useState(false)
  const [isApplied, setApplied] = useState(false)
  const { ask, dialog } = useConfirm()
  const apply = useApplyModels()
  const changes = rows
    .map(({ channel_id, fresh, gone }) => ({ id: channel_id, add: isAdding ? [...fresh] : [], remove: isRemoving ? [...gone] : [] }))
    .filter(({ add, remove }) => add.length + remove.length > 0)
  const count = (names: (row: ChannelDiff) => readonly string[]): number => rows.reduce((sum, row) => sum + names(row).length, 0)
  const added = count(({ fresh }) => fresh)
  const removed = count(({ gone }) => gone)
  if (rows.length === 0 || isApplied) return null
  const confirm = (): void =>
    ask({
      title: t('apply-title', { count: changes.length }),
      help: t('apply-help', { added: isAdding ? added : 0, removed: isRemoving ? removed : 0 }),
      confirm: t('apply'),
      isDangerous: isRemoving && removed > 0,
      run: async () => {
        const changed = await apply.mutateAsync(changes)
        toast.success(t('applied', { count: changed }))
        setApplied(true)
        onDone?.()
      },
    })
  return (
    <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="5" rowGap="2">
      <SwitchField label={t('apply-add', { count: added })} value={isAdding && added > 0} onValue={setAdding} />
      <SwitchField label={t('apply-remove', { count: removed })} value={isRemoving && removed > 0} onValue={setRemoving} />
      <Button size="sm" disabled={changes.length === 0} onClick={confirm}>
        <Check />
        {t('apply')}
      </Button>
      {dialog}
    </chakra.div>
  )
}

const SHOWN = 60

/** The names, what is new with a plus and what is gone with a minus. */
export function ModelNames({
  fresh = [],
  gone = [],
}: {
  readonly fresh?: readonly string[] | undefined
  readonly gone?: readonly string[] | undefined
}) {
  const { t } = useTranslation('channel-runs')
  const names = [...gone.map((name) => ({ name, isGone: true })), ...fresh.map((name) => ({ name, isGone: false }))]
  if (names.length === 0) return null
  return (
    <chakra.div flexBasis="100%" display="flex" flexWrap="wrap" columnGap="3" rowGap="0.5" fontFamily="mono" textStyle="xs">
      {names.slice(0, SHOWN).map(({ name, isGone }) => (
        <chakra.span key={name} color={isGone ? 'danger.fg' : 'success.fg'} overflowWrap="anywhere">
          {`${isGone ? '−' : '+'} ${name}`}
        </chakra.span>
      ))}
      {names.length > SHOWN ? <chakra.span color="text.muted">{t('more-models', { count: names.length - SHOWN })}</chakra.span> : null}
    </chakra.div>
  )
}
