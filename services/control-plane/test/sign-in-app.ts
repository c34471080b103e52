import { createUser } from '@tollgate/db/queries/users/users'
import { createApp } from '../src/app.ts'
import { hashPassword } from '../src/authentication/passwords.ts'
import { createBrowser, signInWith, type Browser } from './browser.ts'
import { startProviderServer, type ProviderServer } from './provider-server.ts'
import { createTestApp, type TestApp } from './test-app.ts'

/** A control plane whose sign-in providers are one scripted server, and which gives up on a silent one after 200 ms. */
export type SignInApp = {
  readonly test: TestApp
  readonly provider: ProviderServer
  browser(): Browser
  /** A new account with a browser that is signed in to it. */
  person(): Promise<Person>
  /** Lets the next tests call as often as the first. */
  forgetLimits(): Promise<void>
  /** Sets the time when the sessions of a user were opened to six minutes ago. */
  makeOld(userId: number): Promise<void>
  stop(): Promise<void>
}

export type Person = { readonly id: number; readonly username: string; readonly browser: Browser }

export const PASSWORD = 'pass-word'
const TIMEOUT_MS = 200

export async function createSignInApp(): Promise<SignInApp> {
  const provider = await startProviderServer()
  const addresses = { GITHUB_URL: provider.url, GITHUB_API_URL: `${provider.url}/api/v3`, LINUX_DO_URL: provider.url }
  const test = await createTestApp({ ...addresses, UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8' })
  const request: typeof test.deps.outbound.request = (input) => test.deps.outbound.request({ ...input, timeoutMs: TIMEOUT_MS })
  const deps = { ...test.deps, outbound: { ...test.deps.outbound, request } }
  const app = createApp(deps, { isDraining: false, findObstacle: async () => undefined })
  const password_hash = await hashPassword(PASSWORD)
  await test.setUp()
  let count = 0
  return {
    test,
    provider,
    browser: () => createBrowser(app),
    person: async () => {
      count += 1
      const username = `person${count}`
      const made = { username, password_hash, display_name: 'P', role: 1, group: 'default', aff_code: username, shards: 8, now: 1 }
      const id = await test.deps.db.transaction().execute((tx) => createUser(tx, made))
      const browser = createBrowser(app)
      await signInWith(browser, username, PASSWORD)
      return { id, username, browser }
    },
    forgetLimits: async () => {
      const counted = await test.deps.redis.keys('limit:*')
      if (counted.length > 0) await test.deps.redis.del(...counted)
    },
    makeOld: async (userId) => {
      const old = Math.floor(Date.now() / 1000) - 360
      for (const hash of await test.deps.redis.zrange(`sess-of:${userId}`, '0', '-1')) {
        await test.deps.redis.hset(`sess:${hash}`, 'proved_at', String(old))
      }
    },
    stop: async () => {
      await test.stop()
      await provider.stop()
    },
  }
}

/** The state in the address of a provider's page. */
export function stateOf(url: unknown): string {
  const { url: address } = url as { url: string } // the answer of /api/oauth/start
  return new URL(address).searchParams.get('state') ?? ''
}
