import { Button, chakra, Text } from '@chakra-ui/react'
import { Copy, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { csvOf, saveCsv, saveText } from '../../ui/list/csv.ts'
import { copyText } from '../../ui/overlay/clipboard.ts'
import type { CreatedCodes } from './drawer.tsx'
import { InfoDialog } from '../../ui/overlay/info-dialog.tsx'

/** The codes that were just created, to copy or to save. */
export function CreatedDialog({
  created: { name, codes },
  onClose,
}: {
  readonly created: CreatedCodes
  readonly onClose: () => void
}): ReactNode {
  const { t } = useTranslation('redemptions')
  const lines = codes.join('\n')
  const csv = (): string =>
    csvOf<string>(
      [
        { id: 'name', header: t('column.name'), cell: () => null, text: () => name },
        { id: 'key', header: t('column.key'), cell: () => null, text: (code) => code },
      ],
      codes,
    )
  return (
    <InfoDialog
      title={t('created.title', { count: codes.length })}
      buttons={
        <>
          <Button variant="outline" onClick={() => saveText(name, lines)}>
            <Download aria-hidden />
            {t('created.text')}
          </Button>
          <Button variant="outline" onClick={() => saveCsv(name, csv())}>
            <Download aria-hidden />
            {t('created.csv')}
          </Button>
          <Button onClick={() => void copyText(lines)}>
            <Copy aria-hidden />
            {t('created.copy')}
          </Button>
        </>
      }
      onClose={onClose}
    >
      <Text mb="3" color="text.muted">
        {t('created.help')}
      </Text>
      <chakra.pre
        tabIndex={0}
        aria-label={t('column.key')}
        maxH="40vh"
        overflowY="auto"
        p="3"
        bg="subtle"
        borderWidth="1px"
        borderColor="border"
        borderRadius="control"
        fontFamily="mono"
        textStyle="xs"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
      >
        {lines}
      </chakra.pre>
    </InfoDialog>
  )
}
