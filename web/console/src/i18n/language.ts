import { storage } from '../lib/storage.ts'

export const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** How each language calls itself; the same in both. */
export const LANGUAGE_NAMES = { zh: '中文', en: 'English' } as const satisfies Record<Language, string>

/** The remembered language; Chinese for everything unknown ("zh-CN" and "en-US" of other consoles are understood). */
export function rememberedLanguage(): Language {
  const stored = storage.get('i18nextLng') ?? ''
  return LANGUAGES.find((language) => stored === language || stored.startsWith(`${language}-`)) ?? 'zh'
}

/** Tells the document and, through `Accept-Language`, the server. */
export function announce(language: Language): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
}
