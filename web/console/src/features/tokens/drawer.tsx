import { Spinner } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { DetailDrawer, FormDrawer } from '../../ui/detail-drawer.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useLeftFields } from '../../ui/use-left-fields.ts'
import { tokenById, useCreateTokens, useUpdateToken } from './api.ts'
import { TokenFields } from './fields.tsx'
import { EMPTY_FORM, problemsOf, toChange, toForm, toNewTokens, type TokenForm } from './form.ts'

/** Creates tokens. */
export function CreateTokenDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation('tokens')
  const create = useCreateTokens()
  const submit = async (form: TokenForm): Promise<void> => {
    const { done, total, failure } = await create.mutateAsync([...toNewTokens(form, random)])
    if (failure === undefined) toast.success(t('created-toast'))
    else toast.error(t('created-some', { done, total, message: failureText(failure) ?? '' }))
    onClose()
  }
  return (
    <TokenDrawer
      title={t('drawer.create-title')}
      initial={EMPTY_FORM}
      isNew
      isBusy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}

/** Edits the token of the address; reads it fresh, so that the remaining quota is the current one. */
export function EditTokenDrawer({ id, onClose }: { id: number; onClose: () => void }): ReactNode {
  const { t } = useTranslation('tokens')
  const query = useQuery(tokenById(id))
  if (query.data !== undefined) return <LoadedTokenDrawer token={query.data} onClose={onClose} />
  return (
    <DetailDrawer title={t('drawer.edit-title')} onClose={onClose}>
      {query.error === null ? <Spinner /> : <ErrorState message={failureText(query.error) ?? ''} onRetry={() => void query.refetch()} />}
    </DetailDrawer>
  )
}

function LoadedTokenDrawer({ token, onClose }: { token: Token; onClose: () => void }): ReactNode {
  const { t } = useTranslation('tokens')
  // What the drawer was opened with: a refetch in the background must not change the comparison.
  const [opened] = useState(token)
  // One per opened form: the server books a change of the quota once, however often it arrives.
  const [formId] = useState(newFormId)
  const update = useUpdateToken()
  const submit = async (form: TokenForm): Promise<void> => {
    await update.mutateAsync(toChange(opened, form, formId))
    toast.success(t('updated-toast'))
    onClose()
  }
  return (
    <TokenDrawer
      title={t('drawer.edit-title')}
      initial={toForm(opened)}
      token={opened}
      isNew={false}
      isBusy={update.isPending}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}

type TokenDrawerProps = {
  readonly title: string
  readonly initial: TokenForm
  readonly token?: Token
  readonly isNew: boolean
  readonly isBusy: boolean
  readonly onSubmit: (form: TokenForm) => Promise<void>
  readonly onClose: () => void
}

function TokenDrawer({ title, initial, token, isNew, isBusy, onSubmit, onClose }: TokenDrawerProps): ReactNode {
  const { t } = useTranslation(['tokens', 'display'])
  const [form, setForm] = useState(initial)
  const [isChecked, setChecked] = useState(false)
  const problems = problemsOf(form, isNew)
  const { left, onBlur } = useLeftFields()
  const isDirty = JSON.stringify(form) !== JSON.stringify(initial)
  const submit = (): Promise<void> | undefined => {
    setChecked(true)
    const [first] = problems
    // The mutation shows the refusal; the drawer stays open with its input.
    if (first === undefined) return onSubmit(form).catch(() => undefined)
    toast.error(t(`error.${first.text}`, { line: first.line }))
    return undefined
  }
  return (
    <FormDrawer
      title={title}
      submit={t(isNew ? 'display:action.create' : 'display:action.save')}
      isDirty={isDirty}
      isBusy={isBusy}
      isNew={isNew}
      problem={isChecked && problems.length > 0 ? t('display:form.errors') : undefined}
      onSubmit={submit}
      onBlur={onBlur}
      onClose={onClose}
    >
      <TokenFields
        form={form}
        onChange={setForm}
        problems={isChecked ? problems : problems.filter(({ field }) => left.has(field))}
        isNew={isNew}
        token={token}
      />
    </FormDrawer>
  )
}

/** `randomUUID` is missing where the console is reached over plain http. */
function newFormId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** In [0, 1), from the browser's secure source. */
function random(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return number / 2 ** 32
}
