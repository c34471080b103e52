import type { Browser, BrowserContext, Page } from 'playwright-core'
import { inject } from 'vitest'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { must, ROOT_USER, setUp, type Answer, type Api } from './api.ts'
import { openLook, startBrowser, type Look } from './browser.ts'
import { startStack, type Stack, type StackOptions } from './stack.ts'

export const DEFAULT_LOOK: Look = { language: 'en', theme: 'light', width: 1440 }

/** The built console on a stack of its own, with a scripted vendor and a browser. */
export type ConsoleUnderTest = {
  readonly stack: Stack
  readonly vendor: VendorServer
  readonly browser: Browser
  readonly origin: string
  /** Root's session outside the browser, for what a test prepares; missing without `isSetUp`. */
  readonly api: Api
  /** Errors that pages threw; the last test of a file expects none. */
  readonly pageErrors: readonly string[]
  /** A page of a visitor with the given look. */
  openVisitor(look?: Partial<Look>): Promise<Page>
  /** The same with an account signed in, root by default. */
  openSignedIn(look?: Partial<Look>, credentials?: Credentials): Promise<Page>
  stop(): Promise<void>
}

type Credentials = { readonly username: string; readonly password: string }
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>
type SignedIn = { readonly cookies: Cookies; readonly user: string }
type Options = StackOptions & { readonly isSetUp?: boolean }

/** `isSetUp: false` leaves the installation new. */
export async function startConsole({ isSetUp = true, ...options }: Options = {}): Promise<ConsoleUnderTest> {
  const vendor = await startVendorServer()
  const stack = await startStack({ ...options, controlPlaneEnv: { CONSOLE_DIR: inject('consoleDir'), ...options.controlPlaneEnv } })
  const browser = await startBrowser()
  const origin = stack.relays[0]?.url ?? ''
  const api = isSetUp ? await setUp(origin) : undefined
  const pageErrors: string[] = []
  const signedIn = new Map<string, SignedIn>()

  const open = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    page.on('pageerror', (error) => pageErrors.push(`${page.url()}: ${error.stack ?? error.message}`))
    return page
  }
  const lookOf = (look: Partial<Look>): Look => ({ ...DEFAULT_LOOK, ...look })
  return {
    stack,
    vendor,
    browser,
    origin,
    get api(): Api {
      if (api === undefined) throw new Error('The installation is not set up, so there is no session')
      return api
    },
    pageErrors,
    openVisitor: async (look = {}) => await open(await openLook(browser, lookOf(look))),
    openSignedIn: async (look = {}, credentials = ROOT_USER) => {
      const context = await openLook(browser, lookOf(look))
      // One sign-in per account: attempts are limited.
      const session = signedIn.get(credentials.username) ?? (await signIn(context, origin, credentials))
      signedIn.set(credentials.username, session)
      await context.addCookies(session.cookies)
      await context.addInitScript(`if (window === top) localStorage.setItem('user', ${JSON.stringify(session.user)})`)
      return await open(context)
    },
    stop: async () => {
      await browser.close()
      await stack.stop()
      await vendor.stop()
    },
  }
}

/** Signs in as the sign-in page does, and gives what it keeps. */
async function signIn(context: BrowserContext, origin: string, data: Credentials): Promise<SignedIn> {
  const answer = await context.request.post(`${origin}/api/user/login`, { data })
  const user = must((await answer.json()) as Answer<Readonly<Record<string, unknown>>>)
  const stored = ['id', 'username', 'display_name', 'role', 'status', 'group'].map((field) => [field, user[field]])
  return { cookies: await context.cookies(), user: JSON.stringify(Object.fromEntries(stored)) }
}
