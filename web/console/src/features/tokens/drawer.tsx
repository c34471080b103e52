import { useQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { Budgets } from '../../ui/budgets/lazy-budgets.tsx'
import { ManagedRecordNote } from '../../ui/display/managed-note.tsx'
import { FormDrawer, FormSection } from '../../ui/form/form-drawer.tsx'
import { newFormId } from '../../ui/form/form-id.ts'
import { useEditConflict } from '../../ui/form/use-edit-conflict.tsx'
import { useResourceForm, type ResourceForm } from '../../ui/form/use-resource-form.ts'
import { LoadingDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { tokenById, useCreateTokens, useUpdateToken } from './api.ts'
import { TokenFields } from './fields.tsx'
import { EMPTY_FORM, problemsOf, seenOf, SERVER_FIELDS, toChange, toForm, toNewTokens, type TokenForm } from './form.ts'

type CreateProps = {
  /** To begin with. */
  readonly name?: string
  readonly onClose: () => void
  readonly onMade: (made: readonly Token[]) => void
}

/** Creates tokens. */
export function CreateTokenDrawer({ name = '', onClose, onMade }: CreateProps): ReactNode {
  const { t } = useTranslation('tokens')
  const create = useCreateTokens()
  const form = useTokenForm({ ...EMPTY_FORM, name }, onClose, true, async (values) => {
    const { done, made, total, failure } = await create.mutateAsync([...toNewTokens(values, random)])
    if (failure === undefined) toast.success(t('created-toast'))
    else toast.error(t('created-some', { done, total, message: failureText(failure) ?? '' }))
    onMade(made)
  })
  return (
    <FormDrawer title={t('drawer.create-title')} form={form} onClose={onClose}>
      <TokenFields form={form} token={undefined} />
    </FormDrawer>
  )
}

/** Edits the token of the address; reads it fresh, so that the remaining quota is the current one. */
export function EditTokenDrawer({ id, onClose }: { id: number; onClose: () => void }): ReactNode {
  const { t } = useTranslation('tokens')
  return (
    <LoadingDrawer title={t('drawer.edit-title')} query={useQuery(tokenById(id))} onClose={onClose}>
      {(token) => <LoadedTokenDrawer token={token} onClose={onClose} />}
    </LoadingDrawer>
  )
}

function LoadedTokenDrawer({ token, onClose }: { token: Token; onClose: () => void }): ReactNode {
  const { t } = useTranslation('tokens')
  const [opened] = useState(token)
  // One per opened form: the server books a change of the quota once, however often it arrives.
  const [formId] = useState(newFormId)
  const update = useUpdateToken()
  const { saving, dialog } = useEditConflict()
  const form = useTokenForm(toForm(opened), onClose, false, async (values) => {
    await saving(toChange(opened, values, formId), seenOf(opened), (body) => update.mutateAsync(body))
    toast.success(t('updated-toast'))
  })
  return (
    <FormDrawer title={t('drawer.edit-title')} form={form} onClose={onClose}>
      <ManagedRecordNote record={opened} />
      <TokenFields form={form} token={opened} />
      <FormSection title={t('drawer.budgets')}>
        <Budgets owner={{ token_id: opened.id }} canAdd />
      </FormSection>
      {dialog}
    </FormDrawer>
  )
}

function useTokenForm(
  initial: TokenForm,
  onSaved: () => void,
  isNew: boolean,
  save: (values: TokenForm) => Promise<void>,
): ResourceForm<TokenForm> {
  const { t } = useTranslation('tokens')
  return useResourceForm({
    initial,
    isNew,
    save,
    onSaved,
    serverFields: SERVER_FIELDS,
    problemsOf: (values) => problemsOf(values, isNew).map(({ field, text, line }) => ({ field, message: t(`error.${text}`, { line }) })),
  })
}

/** In [0, 1), from the browser's secure source. */
function random(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return number / 2 ** 32
}
