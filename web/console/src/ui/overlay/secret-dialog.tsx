import { Button, chakra, Text } from '@chakra-ui/react'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from './clipboard.ts'
import { InfoDialog } from './info-dialog.tsx'

type SecretDialogProps = {
  readonly title: string
  /** Name of the secret, where the title says more. */
  readonly label?: string
  readonly secret: string
  /** Says that it is shown this once, and its use. */
  readonly help: string
  readonly onClose: () => void
}

/** A secret that was just made and is not shown again, with a button that copies it. */
export function SecretDialog({ title, label = title, secret, help, onClose }: SecretDialogProps): ReactNode {
  const { t } = useTranslation('display')
  return (
    <InfoDialog
      title={title}
      isOnce
      onClose={onClose}
      buttons={
        <>
          <Button variant="outline" onClick={() => void copyText(secret)}>
            <Copy />
            {t('action.copy')}
          </Button>
          <Button onClick={onClose}>{t('action.close')}</Button>
        </>
      }
    >
      <chakra.code display="block" overflowWrap="anywhere" aria-label={label}>
        {secret}
      </chakra.code>
      <Text textStyle="xs" color="text.muted" mt="2">
        {help}
      </Text>
    </InfoDialog>
  )
}
