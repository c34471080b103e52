import i18next from 'i18next'
import { storage } from '../lib/storage.ts'
import { announce, type Language } from './language.ts'
import { fetchTexts } from './start.ts'

/**
 * Shows the console in another language and remembers it. Rejects, and changes nothing, where the texts cannot be fetched (the server is
 * away, or has a newer console): i18next would show the keys of texts, and not ask for the texts again.
 */
export async function changeLanguage(language: Language): Promise<void> {
  await fetchTexts(language)
  storage.set('i18nextLng', language)
  await i18next.changeLanguage(language)
  announce(language)
}
