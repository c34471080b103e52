import { Box, Button, Flex, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast, type Toast, type ToastAction, type ToastKind } from '../lib/toast.ts'
import { IconButton } from '../ui/display/icon-button.tsx'

const LOOK = {
  success: { palette: 'success', icon: CircleCheck },
  error: { palette: 'danger', icon: CircleAlert },
  warning: { palette: 'warning', icon: TriangleAlert },
  info: { palette: 'info', icon: Info },
} as const satisfies Record<ToastKind, unknown>

/** The shell's one place for toasts; errors interrupt a screen reader, the rest waits. */
export function Toaster(): ReactNode {
  const { t } = useTranslation(['shell', 'common'])
  const toasts = useSyncExternalStore(toast.subscribe, toast.current)
  return (
    <Flex
      role="region"
      aria-label={t('notifications')}
      aria-live="polite"
      direction="column"
      gap="2"
      zIndex="toast"
      position="fixed"
      // Titles and main buttons are at the top, drawers and their buttons at the end.
      bottom="4"
      insetInlineStart={{ base: '3', sm: '4' }}
      insetInlineEnd={{ base: '3', sm: 'auto' }}
      w={{ sm: 'sm' }}
      pointerEvents="none"
    >
      {toasts.map((one) => (
        <ToastCard key={one.id} shown={one} closeLabel={t('common:close')} />
      ))}
    </Flex>
  )
}

function ToastCard({ shown, closeLabel }: { readonly shown: Toast; readonly closeLabel: string }): ReactNode {
  const { palette, icon: Icon } = LOOK[shown.kind]
  const { action } = shown
  const act = ({ run }: ToastAction): void => {
    toast.dismiss(shown.id)
    run()
  }
  return (
    <Flex
      role={shown.kind === 'error' ? 'alert' : 'status'}
      colorPalette={palette}
      align="flex-start"
      gap="2.5"
      ps="3"
      pe="1"
      py="1.5"
      bg="raised"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
      boxShadow="raised"
      pointerEvents="auto"
      animationName="fade-in"
      animationDuration="moderate"
    >
      <Box color="colorPalette.fg" mt="1.5">
        <Icon size={16} aria-hidden />
      </Box>
      <Text flex="1" minW="0" textStyle="sm" color="text.strong" py="1" overflowWrap="anywhere">
        {shown.text}
      </Text>
      {action === undefined ? null : (
        <Button size="sm" variant="ghost" colorPalette="accent" onClick={() => act(action)}>
          {action.label}
        </Button>
      )}
      <IconButton size="sm" colorPalette="neutral" label={closeLabel} onClick={() => toast.dismiss(shown.id)}>
        <X aria-hidden />
      </IconButton>
    </Flex>
  )
}
