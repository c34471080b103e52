import { CloseButton, Drawer, Portal, Skeleton, Stack } from '@chakra-ui/react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { ErrorState } from '../page/states.tsx'
import { useReturnFocus } from './use-return-focus.ts'

type DetailDrawerProps = {
  readonly title: string
  readonly size?: 'md' | 'lg'
  readonly onClose: () => void
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** One thing of a list, beside the list; the whole screen on a phone. Esc and the cross close it, and the focus returns to what opened it. */
export function DetailDrawer({ title, size = 'md', onClose, footer, children }: DetailDrawerProps): ReactNode {
  const { t } = useTranslation('display')
  useReturnFocus()
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

type LoadingDrawerProps<Data> = {
  readonly title: string
  readonly size?: 'md' | 'lg'
  readonly query: UseQueryResult<Data>
  readonly onClose: () => void
  /** The drawer of what was read. */
  readonly children: (data: Data) => ReactNode
}

/** Reads a thing and then shows its own drawer; until then a sketch of it, or what went wrong. */
export function LoadingDrawer<Data>({ title, size, query, onClose, children }: LoadingDrawerProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data)
  return (
    <DetailDrawer title={title} onClose={onClose} {...(size === undefined ? {} : { size })}>
      {query.error === null ? <Sketch /> : <ErrorState message={failureText(query.error) ?? ''} onRetry={() => void query.refetch()} />}
    </DetailDrawer>
  )
}

function Sketch(): ReactNode {
  return (
    <Stack gap="4" aria-busy>
      <Skeleton height="16" />
      <Skeleton height="40" />
      <Skeleton height="28" />
    </Stack>
  )
}
