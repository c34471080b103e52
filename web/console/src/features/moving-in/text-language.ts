import { useTranslation } from 'react-i18next'

/** The language of texts that the contracts hold in both. */
export function useTextLanguage(): 'zh' | 'en' {
  return useTranslation().i18n.language === 'en' ? 'en' : 'zh'
}
