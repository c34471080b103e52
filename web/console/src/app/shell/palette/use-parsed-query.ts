import { useTranslation } from 'react-i18next'
import { parseQuery } from './items.ts'

/** The typed text, parsed with the verbs of the reader's language. */
export function useParsedQuery(query: string): ReturnType<typeof parseQuery> {
  const { t } = useTranslation('palette')
  const words = (verb: 'test' | 'disable' | 'enable' | 'user'): readonly string[] => t(`verb.${verb}`).split('|')
  return parseQuery(query, { test: words('test'), disable: words('disable'), enable: words('enable'), user: words('user') })
}
