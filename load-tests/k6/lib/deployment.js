import http from 'k6/http'

/** Where and as whom: all from the environment (`k6 run -e NAME=value`). */
export const url = __ENV.BASE_URL || 'http://127.0.0.1:3000'
export const models = { whole: __ENV.MODEL || 'gpt-4o-mini', stream: __ENV.STREAM_MODEL || 'gpt-4o' }
const username = __ENV.CONSOLE_USERNAME || 'root'
const password = __ENV.CONSOLE_PASSWORD || ''
const tokens = Number(__ENV.TOKENS || 20)
/** Address of the vendor simulator; empty: the deployment's own channels answer, and their vendors are paid. */
const vendor = __ENV.VENDOR_URL || ''

const JSON_TYPE = { 'Content-Type': 'application/json' }
/** Quota of a limited token: enough for the course, as users' tokens are. And of one that cannot pay for a single call. */
const LIMITED = 50_000_000
const EMPTY = 1
const EVERY_LIMITED = 5

/** Signs in; what it returns goes with every call of the console. */
function signIn() {
  const answer = http.post(`${url}/api/user/login`, JSON.stringify({ username, password }), { headers: JSON_TYPE, tags: { call: 'setup' } })
  const body = answer.json()
  if (answer.status !== 200 || body.success !== true) throw new Error(`sign-in as ${username}: ${answer.status} ${answer.body}`)
  const cookie = Object.entries(answer.cookies)
    .map(([name, [first]]) => `${name}=${first.value}`)
    .join('; ')
  return { ...JSON_TYPE, Cookie: cookie, 'New-Api-User': String(body.data.id) }
}

function call(session, method, path, payload) {
  const answer = http.request(method, url + path, payload === undefined ? null : JSON.stringify(payload), {
    headers: session,
    tags: { call: 'setup' },
  })
  const body = answer.json()
  if (answer.status !== 200 || body.success !== true) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
  return body.data
}

/**
 * Before a course: tokens of this account, as users have them (most unlimited, every fifth limited, one with nothing left), and, with
 * VENDOR_URL, a channel per manner of answer that leads to the simulator.
 */
export function prepare() {
  const session = signIn()
  const mark = `k6-${Date.now()}`
  if (!(call(session, 'GET', '/api/user/self').quota > 0)) throw new Error(`${username} has no quota: top the wallet up first`)
  const channels =
    vendor === ''
      ? []
      : [
          makeChannel(session, mark, models.whole, 'kind=json,size=900'),
          makeChannel(session, mark, models.stream, 'kind=sse,hz=50,n=60,size=60'),
        ]
  for (let at = 0; at < tokens; at += 1) makeToken(session, `${mark}-${at}`, at % EVERY_LIMITED === 0 ? LIMITED : undefined)
  makeToken(session, `${mark}-empty`, EMPTY)
  const made = ownTokens(session, mark)
  const empty = made.find(({ name }) => name.endsWith('-empty'))
  return {
    session,
    channels,
    made: made.map(({ id }) => id),
    keys: made.filter(({ name }) => !name.endsWith('-empty')).map(({ key }) => key),
    emptyKey: empty === undefined ? '' : empty.key,
  }
}

/** After a course: nothing of it stays. */
export function tidy({ session, channels, made }) {
  for (const id of made) call(session, 'DELETE', `/api/token/${id}`)
  for (const id of channels) call(session, 'DELETE', `/api/channel/${id}`)
}

function makeChannel(session, mark, model, plan) {
  const name = `${mark}-${model}`
  call(session, 'POST', '/api/channel/', {
    type: 1,
    name,
    key: 'sk-simulated',
    base_url: `${vendor}/${plan}`,
    models: model,
    group: 'default',
    priority: 1_000_000,
  })
  const found = call(session, 'GET', `/api/channel/search?keyword=${name}`)
  const rows = Array.isArray(found) ? found : found.items
  return rows.find((row) => row.name === name).id
}

function makeToken(session, name, quota) {
  call(session, 'POST', '/api/token/', { name, unlimited_quota: quota === undefined, remain_quota: quota === undefined ? 0 : quota })
}

function ownTokens(session, mark) {
  const found = []
  for (let page = 0; ; page += 1) {
    const rows = call(session, 'GET', `/api/token/?p=${page}&size=100`)
    found.push(...rows.filter(({ name }) => name.startsWith(`${mark}-`)))
    if (rows.length < 100) return found
  }
}
