import { OutboundError } from '@tollgate/outbound/errors'
import { catalogue } from '@tollgate/providers/catalogue'
import { describe, expect, it } from 'vitest'
import { balanceTypes, readBalance } from './balance.ts'

type Sent = { readonly url: string; readonly headers: Readonly<Record<string, string>> }
type Answers = Readonly<Record<string, unknown>>

/** The vendor's answers by the path that is asked; any other path is a 404. */
function vendor(answers: Answers, status = 200) {
  const sent: Sent[] = []
  const request = async ({ url, headers = {} }: { url: string; headers?: Readonly<Record<string, string>> }) => {
    sent.push({ url, headers })
    const answer = answers[new URL(url).pathname]
    const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer))
    return { status: answer === undefined ? 404 : status, headers: {}, body }
  }
  return { sent, outbound: { request } }
}

const NOW = Date.UTC(2026, 10, 25, 12)
const asked = (type: number, base_url = '') => ({ type, base_url, key: 'sk-secret-key-of-the-channel', now: NOW })
const USAGE = { total_usage: 250 }

describe('the balance of a channel', () => {
  it.each<[type: number, name: string, answers: Answers, balance: number, url: string]>([
    [
      1,
      'OpenAI, of this month',
      { '/v1/dashboard/billing/subscription': { hard_limit_usd: 10 }, '/v1/dashboard/billing/usage': USAGE },
      7.5,
      'https://api.openai.com/v1/dashboard/billing/usage?start_date=2026-11-01&end_date=2026-11-25',
    ],
    [
      1,
      'OpenAI without a payment method, of the last 100 days',
      {
        '/v1/dashboard/billing/subscription': { hard_limit_usd: 10, has_payment_method: false },
        '/v1/dashboard/billing/usage': USAGE,
      },
      7.5,
      'https://api.openai.com/v1/dashboard/billing/usage?start_date=2026-08-17&end_date=2026-11-25',
    ],
    [
      10,
      'AI Proxy',
      { '/api/report/getUserOverview': { data: { totalPoints: 42.5 } } },
      42.5,
      'https://aiproxy.io/api/report/getUserOverview',
    ],
    [
      12,
      'API2GPT',
      { '/dashboard/billing/credit_grants': { total_remaining: 3 } },
      3,
      'https://api.api2gpt.com/dashboard/billing/credit_grants',
    ],
    [
      13,
      'AIGC2D',
      { '/dashboard/billing/credit_grants': { total_available: 4 } },
      4,
      'https://api.aigc2d.com/dashboard/billing/credit_grants',
    ],
    [
      20,
      'OpenRouter',
      { '/api/v1/credits': { data: { total_credits: 9, total_usage: 1.25 } } },
      7.75,
      'https://openrouter.ai/api/v1/credits',
    ],
    [
      25,
      'Moonshot',
      { '/v1/users/me/balance': { data: { available_balance: 49.5 } } },
      49.5,
      'https://api.moonshot.cn/v1/users/me/balance',
    ],
    [
      40,
      'SiliconFlow',
      { '/v1/user/info': { code: 20_000, data: { totalBalance: '88.88' } } },
      88.88,
      'https://api.siliconflow.cn/v1/user/info',
    ],
    [
      43,
      'DeepSeek, in CNY',
      {
        '/user/balance': {
          balance_infos: [
            { currency: 'USD', total_balance: '1' },
            { currency: 'CNY', total_balance: '110.00' },
          ],
        },
      },
      110,
      'https://api.deepseek.com/user/balance',
    ],
  ])('of type %i is read: %s', async (type, _, answers, balance, url) => {
    const { sent, outbound } = vendor(answers)

    expect(await readBalance(outbound, asked(type))).toEqual({ kind: 'balance', balance, status: 200 })

    expect(sent.at(-1)?.url).toBe(url)
    const credential =
      type === 10 ? { 'Api-Key': 'sk-secret-key-of-the-channel' } : { authorization: 'Bearer sk-secret-key-of-the-channel' }
    expect(sent.every(({ headers }) => Object.entries(credential).every(([name, value]) => headers[name] === value))).toBe(true)
  })

  it('of a custom channel is read at its own address', async () => {
    const { sent, outbound } = vendor({ '/v1/dashboard/billing/subscription': { hard_limit_usd: 5 }, '/v1/dashboard/billing/usage': USAGE })

    expect(await readBalance(outbound, asked(8, 'https://own.example/'))).toMatchObject({ balance: 2.5 })
    expect(sent.map(({ url }) => new URL(url).host)).toEqual(['own.example', 'own.example'])
  })

  it.each<[problem: string, type: number, answers: Answers, status: number, detail: string]>([
    ['status', 43, { '/user/balance': {} }, 401, 'status code: 401'],
    ['currency', 43, { '/user/balance': { balance_infos: [{ currency: 'USD', total_balance: '1' }] } }, 200, 'currency CNY not found'],
    ['code', 40, { '/v1/user/info': { code: 30_001, message: 'no user' } }, 200, 'code: 30001, message: no user'],
    ['malformed', 25, { '/v1/users/me/balance': { data: {} } }, 200, 'data.available_balance'],
    ['malformed', 20, { '/api/v1/credits': '<html>' }, 200, 'JSON'],
  ])('says why it cannot be read: %s', async (problem, type, answers, status, detail) => {
    const { outbound } = vendor(answers, status)

    expect(await readBalance(outbound, asked(type))).toMatchObject({ kind: 'problem', problem, detail })
  })

  it('tells a failed connection without its address, and asks no vendor without a balance call', async () => {
    const request = async (): Promise<never> => {
      throw new OutboundError('timeout', 'connect 10.1.2.3:443')
    }

    expect(await readBalance({ request }, asked(43))).toEqual({ kind: 'problem', problem: 'network', detail: 'timeout', status: 0 })
    const others = catalogue.filter(({ type }) => !balanceTypes.includes(type))
    expect(others.length).toBeGreaterThan(40)
    for (const { type } of others) expect(await readBalance({ request }, asked(type))).toMatchObject({ problem: 'unsupported' })
  })
})
