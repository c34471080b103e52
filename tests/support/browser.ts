import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

export type Look = {
  readonly language: 'zh' | 'en'
  readonly theme: 'light' | 'dark'
  readonly width: 1440 | 390
}

/** Each pair has both languages, both themes and both widths. */
const LOOK_PAIRS: readonly (readonly [Look, Look])[] = [
  [
    { language: 'zh', theme: 'light', width: 1440 },
    { language: 'en', theme: 'dark', width: 390 },
  ],
  [
    { language: 'en', theme: 'dark', width: 1440 },
    { language: 'zh', theme: 'light', width: 390 },
  ],
]

export const LOOKS: readonly Look[] = LOOK_PAIRS.flat()

/** Gives pages pairs in turn: four looks each would take twice as long and seldom find more. */
export function isSeenIn(look: Look, pageAt: number): boolean {
  return LOOK_PAIRS[pageAt % LOOK_PAIRS.length]?.includes(look) === true
}

/** Debian's Chromium, unless CHROMIUM names another. The flags disable its background network requests. */
export async function startBrowser(): Promise<Browser> {
  const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  return await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...quiet],
  })
}

/** Opens a new browser context with language, theme and width. */
export async function openLook(browser: Browser, { language, theme, width }: Look): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: width === 390 ? 844 : 900 },
    locale: language === 'zh' ? 'zh-CN' : 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  })
  const remembered = { i18nextLng: language, 'theme-mode': theme }
  for (const [key, value] of Object.entries(remembered)) {
    await context.addInitScript(`if (window === top && localStorage.getItem('${key}') === null) localStorage.setItem('${key}', '${value}')`)
  }
  return context
}

/**
 * Opens a page with an empty cache and counts what it fetches until the network is idle: different addresses, since a slow machine may see a
 * state asked for again, and bytes as sent, headers included.
 */
export async function measureTransfer(page: Page, url: string): Promise<{ readonly requests: number; readonly bytes: number }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.clearBrowserCache')
  const addresses = new Map<string, string>()
  const fetched = new Set<string>()
  let bytes = 0
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => void addresses.set(requestId, request.url))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const address = addresses.get(requestId)
    // It was sent by the page before.
    if (address === undefined) return
    fetched.add(address)
    bytes += encodedDataLength
  })
  await page.goto(url)
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
  await devtools.detach()
  return { requests: fetched.size, bytes }
}

/** Serious and critical axe violations and horizontal overflow; empty if there are none. */
export async function inspectPage(page: Page, name: string): Promise<string> {
  await page.locator('main').first().waitFor()
  await page.waitForLoadState('networkidle')
  // The details of what passed would take most of the time, and so would a page of its own for frames, which no screen here has.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  const parts = serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ') ?? ''}`)
  if (overflow > 0) parts.push(`${overflow} px wider than the window`)
  return parts.length === 0 ? '' : `${name}: ${parts.join('; ')}`
}
