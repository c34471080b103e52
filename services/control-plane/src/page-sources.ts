import type { PageSources } from '@tollgate/http/security-headers'
import type { Deps } from './deps.ts'

/** Options whose text an operator writes and a page shows, pictures included. */
const SHOWN = ['Logo', 'WeChatAccountQRCodeImageURL', 'Notice', 'About', 'HomePageContent', 'Footer', 'ServerAddress'] as const

/** What a page may load from elsewhere: scripts of sign-in widgets that are on, pictures of the operator's own texts and of `ImageHosts`. */
export async function pageSources({ options }: Pick<Deps, 'options'>): Promise<PageSources> {
  try {
    const values = await options.all()
    return {
      scripts: [
        ...(values.TurnstileCheckEnabled ? ['https://challenges.cloudflare.com'] : []),
        ...(values.TelegramOAuthEnabled ? ['https://telegram.org'] : []),
      ],
      images: [...new Set([...values.ImageHosts, ...SHOWN.flatMap((key) => originsOf(values[key]))])],
    }
  } catch {
    // Without the options nothing is allowed; the failed read is reported by the page's own calls.
    return { scripts: [], images: [] }
  }
}

const ADDRESS = /https?:\/\/[a-z0-9.:[\]-]+/gi

/** Origins of the addresses in a text, in canonical form, so that nothing else of it reaches the header. */
function originsOf(text: string): readonly string[] {
  return (text.match(ADDRESS) ?? []).flatMap((address) => URL.parse(address)?.origin ?? [])
}
