import type { Hono } from 'hono'
import type { Answer } from './test-app.ts'

/** A browser at the console: keeps cookies, and names the signed-in user in each call. */
export type Browser = {
  readonly cookies: Map<string, string>
  /** The signed-in user, 0 for none. */
  userId: number
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** A call whose answer is not JSON. */
  open(path: string, headers?: Record<string, string>): Promise<Response>
}

export function createBrowser(app: Hono): Browser {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    if (browser.userId > 0) headers.set('New-Api-User', String(browser.userId))
    const answer = await app.request(path, { ...init, headers })
    for (const line of answer.headers.getSetCookie()) keep(cookies, line)
    return answer
  }
  const browser: Browser = {
    cookies,
    userId: 0,
    call: async (method, path, body, headers = {}) => {
      const page = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' }
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const answer = await send(path, {
        method,
        headers: { ...page, ...type, ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, body: (text === '' ? {} : JSON.parse(text)) as Answer['body'] } // the envelope
    },
    open: (path, headers = {}) => send(path, { headers }),
  }
  return browser
}

export async function signInWith(browser: Browser, username: string, password: string): Promise<void> {
  const { body } = await browser.call('POST', '/api/user/login', { username, password })
  if (!body.success) throw new Error(body.message)
  browser.userId = (body.data as { id: number }).id // the login answer, whose shape another test checks
}

function keep(cookies: Map<string, string>, line: string): void {
  const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
  if (/Max-Age=0/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}
