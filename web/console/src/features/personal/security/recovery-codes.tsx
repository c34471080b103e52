import { Button, Grid, Text } from '@chakra-ui/react'
import { Copy, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../ui/overlay/clipboard.ts'
import { InfoDialog } from '../../../ui/overlay/info-dialog.tsx'

/** The recovery codes, shown this once: the dialog closes only by its button. */
export function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('security')
  const text = `${codes.join('\n')}\n`
  const download = (): void => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    link.download = 'recovery-codes.txt'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <InfoDialog
      title={t('two-factor.codes-title')}
      width="md"
      isOnce
      buttons={
        <>
          <Button variant="outline" onClick={() => void copyText(text)}>
            <Copy aria-hidden />
            {t('two-factor.copy')}
          </Button>
          <Button variant="outline" onClick={download}>
            <Download aria-hidden />
            {t('two-factor.download')}
          </Button>
          <Button onClick={onClose}>{t('two-factor.saved')}</Button>
        </>
      }
      onClose={onClose}
    >
      <Text mb="3">{t('two-factor.codes-help')}</Text>
      <Grid
        templateColumns={{ base: '1fr', sm: '1fr 1fr' }}
        gap="1.5"
        p="3"
        bg="subtle"
        borderRadius="control"
        textStyle="mono"
        data-recovery-codes
      >
        {codes.map((code) => (
          <Text key={code} as="code">
            {code}
          </Text>
        ))}
      </Grid>
    </InfoDialog>
  )
}
