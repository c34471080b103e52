import { readDeliveryError } from '@tollgate/contracts/failures/delivery-failures'
import { useTranslation } from 'react-i18next'

/** Why a delivery failed: our own words in the reader's language, a mail server's words marked as its own. */
export function useDeliveryError(): (stored: string) => string {
  const { t } = useTranslation('deliveries')
  return (stored) => {
    const error = readDeliveryError(stored)
    if (error.kind === 'own') return t(`failure.${error.failure}`)
    if (error.kind === 'answered') return t('failure.answered', { status: error.status })
    return error.kind === 'server' ? t('failure.server', { text: error.text }) : error.text
  }
}
