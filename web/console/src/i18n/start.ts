import i18next, { type BackendModule, type i18n, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { announce, rememberedLanguage, type Language } from './language.ts'
import type { Namespace } from './resources.ts'

/** Needed on every page; the rest comes with its route. */
const ALWAYS = ['common', 'display', 'errors', 'shell'] as const satisfies readonly Namespace[]
type Always = Readonly<Record<(typeof ALWAYS)[number], ResourceKey>>

/** The texts of every page, in one file per language. */
const always: Readonly<Record<string, () => Promise<Always>>> = {
  zh: () => import('./always-zh.ts'),
  en: () => import('./always-en.ts'),
}

/** One file per language and page, fetched when a page first asks for it. */
const files = import.meta.glob<{ texts: ResourceKey }>(['./zh/*.ts', './en/*.ts', '!**/{common,display,errors,shell}.ts'])

async function loadFile(language: string, namespace: string): Promise<ResourceKey> {
  const common = ALWAYS.find((name) => name === namespace)
  const texts = common === undefined ? (await files[`./${language}/${namespace}.ts`]?.())?.texts : (await always[language]?.())?.[common]
  if (texts === undefined) throw new Error(`No texts for ${language}/${namespace}`)
  return texts
}

const lazyFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    loadFile(language, namespace).then(
      (texts) => done(null, texts),
      (reason: unknown) => done(reason instanceof Error ? reason : new Error(String(reason)), null),
    )
  },
}

export async function startTexts(language: Language = rememberedLanguage()): Promise<i18n> {
  announce(language)
  await i18next
    .use(lazyFiles)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      // A copy, because i18next adds every namespace that it loads.
      ns: [...ALWAYS],
      defaultNS: 'common',
      returnNull: false,
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
  return i18next
}

/** Fetches in another language whatever texts this page has asked for. */
export async function fetchTexts(language: Language): Promise<void> {
  const shown = Object.keys(i18next.store.data[i18next.language] ?? {})
  const missing = shown.filter((namespace) => !i18next.hasResourceBundle(language, namespace))
  const texts = await Promise.all(missing.map(async (namespace) => [namespace, await loadFile(language, namespace)] as const))
  for (const [namespace, text] of texts) i18next.addResourceBundle(language, namespace, text)
}

/** For a route's loader, so that its texts come beside its data and not after it. */
export async function loadTexts(...namespaces: readonly Namespace[]): Promise<void> {
  await i18next.loadNamespaces(namespaces)
}
