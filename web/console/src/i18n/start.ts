import i18next, { type BackendModule, type i18n, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { announce, rememberedLanguage, type Language } from './language.ts'
import type { Namespace } from './resources.ts'

/** One chunk per language and namespace, fetched when a page first asks for it. */
const files = import.meta.glob<{ texts: ResourceKey }>(['./zh/*.ts', './en/*.ts'])

const lazyFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    const load = files[`./${language}/${namespace}.ts`]
    if (load === undefined) {
      done(new Error(`No texts for ${language}/${namespace}`), null)
      return
    }
    load().then(
      (file) => done(null, file.texts),
      (reason: unknown) => done(reason instanceof Error ? reason : new Error(String(reason)), null),
    )
  },
}

/** Needed on every page; the rest comes with its route. */
const ALWAYS = ['common', 'display', 'errors', 'shell'] as const satisfies readonly Namespace[]

export async function startTexts(language: Language = rememberedLanguage()): Promise<i18n> {
  announce(language)
  await i18next
    .use(lazyFiles)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      ns: ALWAYS,
      defaultNS: 'common',
      returnNull: false,
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
  return i18next
}

/** For a route's loader, so that its texts come beside its data and not after it. */
export async function loadTexts(...namespaces: readonly Namespace[]): Promise<void> {
  await i18next.loadNamespaces(namespaces)
}
