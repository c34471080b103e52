import { Button, chakra, Spinner } from '@chakra-ui/react'
import { useEffect, useId, useRef, type FocusEvent, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'
import { DetailDrawer } from '../overlay/detail-drawer.tsx'
import { useLeaveGuard } from './leave-guard.tsx'
import type { ResourceForm } from './use-resource-form.ts'

type FormDrawerProps<Values> = {
  readonly title: string
  readonly form: ResourceForm<Values>
  readonly onClose: () => void
  /** Further buttons, before the one that saves. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/**
 * A drawer with a form: Enter saves, a second submit while one runs is refused, a save with mistakes goes to the first of them, and
 * unsaved input is not lost by a slip: not by Esc, the cross, a link, the back button or a closed tab.
 */
export function FormDrawer<Values>({ title, form, onClose, actions, children }: FormDrawerProps<Values>): ReactNode {
  const { t } = useTranslation('display')
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  const { close, leaving } = useLeaveGuard(form, onClose)
  useEffect(() => {
    if (form.tries > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form.tries])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // A dialog that lies over the drawer is a child of this form in React, not on the page.
    if (event.target !== event.currentTarget) return
    if (!form.isNew && !form.isDirty) {
      if (form.unchanged !== undefined) toast.warning(form.unchanged)
    } else if (!form.submit()) toast.error(t('form.submit-twice'))
  }
  return (
    <DetailDrawer title={title} onClose={close} footer={<FormFooter form={form} formId={formId} onCancel={close} actions={actions} />}>
      <chakra.form ref={element} id={formId} noValidate onSubmit={submit} onBlur={(event) => leaveField(event, form)}>
        <chakra.div display="flex" flexDirection="column" gap="6">
          {children}
        </chakra.div>
      </chakra.form>
      <ConfirmDialog
        ask={form.question === undefined ? undefined : { ...form.question, run: () => form.answer(true) }}
        onClose={() => form.answer(false)}
      />
      {leaving}
    </DetailDrawer>
  )
}

type FooterProps<Values> = {
  readonly form: ResourceForm<Values>
  readonly formId: string
  readonly onCancel: () => void
  readonly actions: ReactNode
}

function FormFooter<Values>({ form, formId, onCancel, actions }: FooterProps<Values>): ReactNode {
  const { t } = useTranslation('display')
  const problem = form.problemCount > 0 ? t('form.errors', { count: form.problemCount }) : form.failure
  return (
    <>
      {problem === undefined || problem === '' ? null : (
        <chakra.span role="alert" color="danger.fg" me="auto" minW="0" overflowWrap="anywhere">
          {problem}
        </chakra.span>
      )}
      <Button variant="outline" onClick={onCancel}>
        {t('action.cancel')}
      </Button>
      {actions}
      <Button
        type="submit"
        form={formId}
        aria-busy={form.isBusy}
        aria-disabled={form.isBusy}
        disabled={!form.isNew && !form.isDirty && form.unchanged === undefined}
        {...(form.isBusy ? { opacity: '0.6' } : {})}
      >
        {form.isBusy ? <Spinner size="sm" /> : null}
        {t(form.isNew ? 'action.create' : 'action.save')}
      </Button>
    </>
  )
}

/** Fields are known by `data-field`; a move inside one of several controls does not leave it. */
export function leaveField<Values>(event: FocusEvent<HTMLElement>, form: ResourceForm<Values>): void {
  const field = event.target.closest<HTMLElement>('[data-field]')
  const name = field?.dataset['field']
  const isInside = event.relatedTarget instanceof Node && field?.contains(event.relatedTarget) === true
  if (name !== undefined && !isInside) form.leave(name)
}

/** Fields that belong together, under a name. */
export function FormSection({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <chakra.fieldset border="0" p="0" m="0" minW="0" display="flex" flexDirection="column" gap="4">
      <chakra.legend
        float="left"
        width="full"
        textStyle="section"
        color="text.strong"
        pb="1.5"
        borderBottomWidth="1px"
        borderColor="border"
      >
        {title}
      </chakra.legend>
      {children}
    </chakra.fieldset>
  )
}
