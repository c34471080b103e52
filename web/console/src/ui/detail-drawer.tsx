import { Button, chakra, CloseButton, Drawer, Portal, Spinner } from '@chakra-ui/react'
import { useEffect, useId, useRef, useState, type FocusEvent, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../lib/toast.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

type DetailDrawerProps = {
  readonly title: string
  readonly size?: 'md' | 'lg'
  readonly onClose: () => void
  /** Beside the title: a tag, an id. */
  readonly aside?: ReactNode
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** One thing of a list, beside the list; the whole screen on a phone. Esc and the cross close it. */
export function DetailDrawer({ title, size = 'md', onClose, aside, footer, children }: DetailDrawerProps): ReactNode {
  const { t } = useTranslation('display')
  return (
    // Focus may leave while one drawer takes another's place (loading, then the form): that is no wish to close.
    <Drawer.Root
      open
      size={size}
      onFocusOutside={(event) => event.preventDefault()}
      onOpenChange={({ open }) => (open ? undefined : onClose())}
    >
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content>
            <Drawer.Header>
              <Drawer.Title>{title}</Drawer.Title>
              {aside}
            </Drawer.Header>
            <Drawer.Body>{children}</Drawer.Body>
            {footer === undefined ? null : <Drawer.Footer>{footer}</Drawer.Footer>}
            <Drawer.CloseTrigger asChild>
              <CloseButton size="sm" variant="ghost" aria-label={t('action.close')} />
            </Drawer.CloseTrigger>
          </Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  )
}

type FormDrawerProps = {
  readonly title: string
  readonly submit: string
  readonly isDirty: boolean
  readonly isBusy: boolean
  /** A new thing can be saved as it is; an existing one only when something changed. */
  readonly isNew: boolean
  /** Named beside the button until they are corrected. */
  readonly problem: string | undefined
  /** Settles when the save is over; undefined when nothing was sent. */
  readonly onSubmit: () => Promise<void> | undefined
  /** Hears which fields are left. */
  readonly onBlur?: (event: FocusEvent<HTMLElement>) => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A drawer with a form: Enter saves, a second submit while one runs is refused, a save with mistakes goes to the first of them, and
 * unsaved input is not lost by a slip.
 */
export function FormDrawer(props: FormDrawerProps): ReactNode {
  const { t } = useTranslation('display')
  const [isLeaving, setLeaving] = useState(false)
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  // State arrives a render later: two clicks in one would both be sent.
  const isRunning = useRef(false)
  const [submits, setSubmits] = useState(0)
  useEffect(() => {
    if (submits > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submits])
  const close = (): void => (props.isDirty ? setLeaving(true) : props.onClose())
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (props.isBusy || isRunning.current) {
      toast.error(t('form.submit-twice'))
      return
    }
    if (!props.isNew && !props.isDirty) return
    const save = props.onSubmit()
    setSubmits(submits + 1)
    if (save === undefined) return
    isRunning.current = true
    void save.finally(() => (isRunning.current = false))
  }
  return (
    <DetailDrawer
      title={props.title}
      onClose={close}
      footer={
        <>
          {props.problem === undefined ? null : (
            <chakra.span role="alert" color="danger.fg" me="auto" minW="0" overflowWrap="anywhere">
              {props.problem}
            </chakra.span>
          )}
          <Button variant="outline" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button
            type="submit"
            form={formId}
            aria-busy={props.isBusy}
            aria-disabled={props.isBusy}
            disabled={!props.isNew && !props.isDirty}
            {...(props.isBusy ? { opacity: '0.6' } : {})}
          >
            {props.isBusy ? <Spinner size="sm" /> : null}
            {props.submit}
          </Button>
        </>
      }
    >
      <chakra.form ref={form} id={formId} noValidate onSubmit={submit} {...(props.onBlur === undefined ? {} : { onBlur: props.onBlur })}>
        <chakra.div display="flex" flexDirection="column" gap="6">
          {props.children}
        </chakra.div>
      </chakra.form>
      <ConfirmDialog
        ask={
          isLeaving
            ? { title: t('form.dirty-title'), help: t('form.dirty-help'), confirm: t('form.dirty-leave'), run: props.onClose }
            : undefined
        }
        onClose={() => setLeaving(false)}
      />
    </DetailDrawer>
  )
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
