import { Button, chakra, Flex, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../display/copy-button.tsx'
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
    <InfoDialog title={title} buttons={<Button onClick={onClose}>{t('action.close')}</Button>} isOnce onClose={onClose}>
      <Flex align="center" gap="2">
        <chakra.code flex="1" minW="0" overflowWrap="anywhere" aria-label={label}>
          {secret}
        </chakra.code>
        <CopyButton text={secret} />
      </Flex>
      <Text textStyle="xs" color="text.muted" mt="2">
        {help}
      </Text>
    </InfoDialog>
  )
}
