import { chakra } from '@chakra-ui/react'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../overlay/clipboard.ts'
import { IconButton } from './icon-button.tsx'

/** An icon that copies a text. */
export function CopyButton({ text, label }: { text: string; label?: string }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <IconButton size="xs" label={label ?? t('action.copy')} onClick={() => void copyText(text)}>
      <Copy />
    </IconButton>
  )
}

/** An id that is copied by a click. */
export function CopyId({ text, shown }: { text: string; shown?: ReactNode }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <chakra.button
      type="button"
      fontFamily="mono"
      textStyle="xs"
      color="text"
      cursor="copy"
      borderRadius="xs"
      focusVisibleRing="outside"
      whiteSpace="nowrap"
      _hover={{ color: 'accent.fg' }}
      data-hint={t('copy.id')}
      onClick={(event) => {
        event.stopPropagation()
        void copyText(text)
      }}
    >
      {shown ?? text}
    </chakra.button>
  )
}
