import { useQuery } from '@tanstack/react-query'
import type { Redemption } from '@tollgate/contracts/resources/redemptions'
import { quotaText } from '@tollgate/domain/display/quota-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EXPIRY_SHORTCUTS, nowInSeconds } from '../../lib/expiry.ts'
import { toast } from '../../lib/toast.ts'
import { useQuotaStyle } from '../../ui/display/quota-text.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { QuotaField } from '../../ui/form/quota-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { TimeField } from '../../ui/form/time-box.tsx'
import { useEditConflict } from '../../ui/form/use-edit-conflict.tsx'
import { useResourceForm, type ResourceForm } from '../../ui/form/use-resource-form.ts'
import { LoadingDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { codeById, useCodeChanges } from './api.ts'
import { COUNT_CHOICES, EMPTY_FORM, problemsOf, toChange, toForm, toNewCodes, type CodeForm } from './form.ts'

export type CreatedCodes = { readonly name: string; readonly codes: readonly string[] }
type CreateProps = { readonly onClose: () => void; readonly onCreated: (created: CreatedCodes) => void }

/** Creates codes and hands them over. */
export function CreateCodesDrawer({ onClose, onCreated }: CreateProps): ReactNode {
  const { t } = useTranslation('redemptions')
  const style = useQuotaStyle()
  const { create } = useCodeChanges()
  const form = useCodeForm(EMPTY_FORM, onClose, true, async (values) => {
    const body = toNewCodes(values, (quota) => quotaText(quota, 'total', style))
    const codes = await create.mutateAsync(body)
    toast.success(t('created-toast'))
    onCreated({ name: body.name ?? '', codes })
  })
  return (
    <FormDrawer title={t('drawer.create-title')} form={form} onClose={onClose}>
      <CodeFields form={form} />
    </FormDrawer>
  )
}

/** Edits the code of the address. */
export function EditCodeDrawer({ id, onClose }: { readonly id: number; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('redemptions')
  return (
    <LoadingDrawer title={t('drawer.edit-title')} query={useQuery(codeById(id))} onClose={onClose}>
      {(code) => <LoadedDrawer code={code} onClose={onClose} />}
    </LoadingDrawer>
  )
}

function LoadedDrawer({ code, onClose }: { readonly code: Redemption; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('redemptions')
  const [opened] = useState(code)
  const { update } = useCodeChanges()
  const { saving, dialog } = useEditConflict()
  const form = useCodeForm(toForm(opened), onClose, false, async (values) => {
    const { name, quota, expired_time } = opened
    await saving(toChange(opened, values), { name, quota, expired_time }, (body) => update.mutateAsync(body))
    toast.success(t('updated-toast'))
  })
  return (
    <FormDrawer title={t('drawer.edit-title')} form={form} onClose={onClose}>
      <CodeFields form={form} />
      {dialog}
    </FormDrawer>
  )
}

const SHORTCUTS = ['day', 'month'] as const

function CodeFields({ form: { field, isNew } }: { readonly form: ResourceForm<CodeForm> }): ReactNode {
  const { t } = useTranslation('redemptions')
  return (
    <>
      <TextField label={t('field.name')} help={t(isNew ? 'field.name-help' : 'field.name-rule')} autoFocus {...field('name')} />
      <QuotaField label={t('field.quota')} help={t('field.quota-help')} {...field('quota')} />
      <TimeField
        label={t('field.expiry')}
        help={t('field.expiry-help')}
        placeholder={t('expiry.never')}
        presets={[
          { label: t('expiry.never'), value: '' },
          ...SHORTCUTS.map((name) => ({ label: t(`expiry.${name}`), value: timeText(nowInSeconds() + EXPIRY_SHORTCUTS[name]) })),
        ]}
        {...field('expiry')}
      />
      {isNew ? (
        <TextField
          label={t('field.count')}
          help={t('field.count-help')}
          inputMode="numeric"
          presets={COUNT_CHOICES.map((count) => ({ label: String(count), value: String(count) }))}
          {...field('count')}
        />
      ) : null}
    </>
  )
}

function useCodeForm(
  initial: CodeForm,
  onSaved: () => void,
  isNew: boolean,
  save: (values: CodeForm) => Promise<void>,
): ResourceForm<CodeForm> {
  const { t } = useTranslation('redemptions')
  return useResourceForm({
    initial,
    isNew,
    save,
    onSaved,
    problemsOf: (values) => problemsOf(values, isNew).map(({ field, text }) => ({ field, message: t(`error.${text}`) })),
  })
}
