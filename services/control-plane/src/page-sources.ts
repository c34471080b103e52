import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { PageSources } from '@tollgate/http/security-headers'
import type { Deps } from './deps.ts'

/** Addresses of images, and texts that an operator writes with images in them. */
const ADDRESSES = ['Logo', 'WeChatAccountQRCodeImageURL', 'ServerAddress'] as const
const TEXTS = ['Notice', 'About', 'HomePageContent', 'Footer'] as const
/** Proxies refuse answers with long headers. */
const MAX_ORIGINS = 50

/**
 * Sources that a page may load from elsewhere: scripts of sign-in widgets that are on, pictures of the operator's own texts and of
 * `ImageHosts`.
 */
export async function pageSources({ options }: Pick<Deps, 'options'>): Promise<PageSources> {
  try {
    const values = await options.all()
    return {
      scripts: [
        ...(values.TurnstileCheckEnabled ? ['https://challenges.cloudflare.com'] : []),
        ...(values.TelegramOAuthEnabled ? ['https://telegram.org'] : []),
      ],
      images: [...values.ImageHosts, ...ownOrigins(values)],
    }
  } catch {
    // Without the options nothing is allowed; the failed read is reported by the page's own calls.
    return { scripts: [], images: [] }
  }
}

function ownOrigins(values: OptionValues): readonly string[] {
  const addresses = [...ADDRESSES.map((key) => values[key]), ...TEXTS.flatMap((key) => imagesIn(values[key]))]
  // In canonical form, so that nothing else of a text reaches the header.
  const origins = addresses.flatMap((address) => (/^https?:/i.test(address) ? (URL.parse(address)?.origin ?? []) : []))
  return [...new Set(origins)].slice(0, MAX_ORIGINS)
}

/** Images of Markdown, with its definitions, and of HTML. */
const IMAGES = [
  /!\[[^\]]{0,500}\]\(\s*<?([^\s)>]+)/g,
  /^ {0,3}\[[^\]]{1,500}\]:\s*<?([^\s>]+)/gm,
  /<img\b[^>]{0,500}?\bsrc\s*=\s*["']?([^"'\s>]+)/gi,
] as const

const imagesIn = (text: string): readonly string[] =>
  IMAGES.flatMap((image) => [...text.matchAll(image)].map(([, address = '']) => address))
