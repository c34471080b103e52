export type Language = 'zh' | 'en'

/** The language of texts for this caller by `Accept-Language`; `fallback` if the header asks for neither. */
export function languageOf(header: string | undefined, fallback: Language = 'zh'): Language {
  if (header === undefined || header === '*') return fallback
  const wishes = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const weight = parameters.find((parameter) => parameter.trim().startsWith('q='))
    return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight.trim().slice(2)) || 0 }
  })
  const known = wishes.filter(({ tag, weight }) => weight > 0 && /^(zh|en)(-|$)/.test(tag))
  const best = known.reduce<(typeof known)[number] | undefined>(
    (top, wish) => (top === undefined || wish.weight > top.weight ? wish : top),
    undefined,
  )
  if (best === undefined) return fallback
  return best.tag.startsWith('en') ? 'en' : 'zh'
}
