import { Button, chakra, CloseButton, Drawer, Portal } from '@chakra-ui/react'
import { useId, useState, type FormEvent, type ReactNode } from 'react'
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
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A drawer with a form: Enter saves, a second submit while one runs is refused, and unsaved input is not lost by a slip. */
export function FormDrawer(props: FormDrawerProps): ReactNode {
  const { t } = useTranslation('display')
  const [isLeaving, setLeaving] = useState(false)
  const formId = useId()
  const close = (): void => (props.isDirty ? setLeaving(true) : props.onClose())
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (props.isBusy) toast.error(t('form.submit-twice'))
    else if (props.isNew || props.isDirty) props.onSubmit()
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
          <Button type="submit" form={formId} aria-busy={props.isBusy} disabled={!props.isNew && !props.isDirty}>
            {props.submit}
          </Button>
        </>
      }
    >
      <chakra.form id={formId} noValidate onSubmit={submit}>
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
