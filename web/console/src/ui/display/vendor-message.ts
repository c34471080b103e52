import { useTranslation } from 'react-i18next'

/** Marks texts of vendors as the vendor's: they may be in any language, and are no advice of ours. */
export type VendorMessage = {
  /** A text beside the HTTP status that came with it; 0 or absent: no vendor answered, so that the text is ours. */
  readonly ofAnswer: (text: string, status: number | undefined) => string
  /** The message of a channel test. A vendor's begins with the status of its answer. */
  readonly ofTest: (message: string) => string
  readonly mark: (text: string) => string
}

const TEST_ANSWER = /^status code (?=\d{3}:)/

export function useVendorMessage(): VendorMessage {
  const { t } = useTranslation('display')
  const mark = (text: string): string => t('vendor-message', { text })
  return {
    mark,
    ofAnswer: (text, status = 0) => (text === '' || status === 0 ? text : mark(text)),
    ofTest: (message) => (TEST_ANSWER.test(message) ? mark(message.replace(TEST_ANSWER, '')) : message),
  }
}
