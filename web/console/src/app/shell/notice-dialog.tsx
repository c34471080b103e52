import { Button } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OperatorMarkup } from '../../ui/display/operator-markup.tsx'
import { InfoDialog } from '../../ui/overlay/info-dialog.tsx'

type NoticeProps = { readonly text: string; readonly onClose: () => void }

/** The operator's notice, over the page. */
export function NoticeDialog({ text, onClose }: NoticeProps): ReactNode {
  const { t } = useTranslation('shell')
  return (
    <InfoDialog
      title={t('notice')}
      buttons={
        <Button data-autofocus="" onClick={onClose}>
          {t('notice-seen')}
        </Button>
      }
      onClose={onClose}
    >
      <div data-notice="">
        <OperatorMarkup markup="markdown" text={text} />
      </div>
    </InfoDialog>
  )
}
