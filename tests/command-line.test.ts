import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { dataOf } from '@tollgate/admin-client/result'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createChannel, createToken, setUp, type Api } from './support/api.ts'
import { startStack, type Stack } from './support/stack.ts'

const MAIN = join(import.meta.dirname, '../libs/cli/src/main.ts')

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }
type Running = ChildProcessByStdio<Writable, Readable, Readable>

describe('the command line', () => {
  let folder: string
  let vendor: VendorServer
  let stack: Stack
  let api: Api
  let accessToken: string
  let key: string
  const servers: Server[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-cli-'))
    vendor = await startVendorServer()
    stack = await startStack()
    api = await setUp(stack.controlPlane.url)
    accessToken = await dataOf(api.client.GET('/api/user/token'))
    await createChannel(api, { name: 'first \u001b[31mvendor', base_url: `${vendor.url}/ok`, models: 'gpt-4o-mini' })
    key = (await createToken(api, { name: 'laptop' })).key
    await vi.waitFor(async () => expect(await chat()).toBe(200), { timeout: 10_000 })
    expect(await run(['login', stack.controlPlane.url, '--user', String(api.userId)], { input: accessToken })).toMatchObject({ code: 0 })
  })
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    await stack.stop()
    await vendor.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const start = (args: readonly string[], env: Record<string, string> = {}): Running =>
    spawn(process.execPath, [MAIN, ...args], {
      env: { ...PROCESS_ENV, HOME: folder, XDG_CONFIG_HOME: folder, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  const run = async (
    args: readonly string[],
    { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
  ): Promise<Ended> => {
    const child = start(args, env)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdin.end(input)
    await once(child, 'close')
    return { code: child.exitCode, stdout, stderr }
  }
  /** The output of a command that must succeed. */
  const output = async (...args: string[]): Promise<string> => {
    const ended = await run(args)
    expect(ended, args.join(' ')).toMatchObject({ code: 0, stderr: '' })
    return ended.stdout
  }
  const json = async (...args: string[]): Promise<unknown> => JSON.parse(await output(...args, '--output', 'json'))
  const chat = async (): Promise<number> => {
    const answer = await fetch(`${stack.relays[0]?.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.text()
    return answer.status
  }
  type Entry = { readonly id: number; readonly model_name: string; readonly request_id: string; readonly quota: number }
  const entries = async (): Promise<Entry[]> =>
    ((await json('logs', 'tail')) as Entry[]).filter(({ model_name: model }) => model === 'gpt-4o-mini')
  const firstEntry = async (): Promise<Entry> =>
    await vi.waitFor(
      async () => {
        const [entry] = await entries()
        if (entry === undefined) throw new Error('not posted yet')
        return entry
      },
      { timeout: 20_000 },
    )
  /** The address of a server that answers every call like this; without an answer it stays silent. */
  const serve = async (answer?: (path: string) => { readonly status: number; readonly body: string }): Promise<string> => {
    const server = createServer((request, response) => {
      if (answer === undefined) return
      const { status, body } = answer(request.url ?? '')
      response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' }).end(body)
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  }

  it('keeps the access token in a file that only its owner can read, and prints it nowhere', async () => {
    const file = join(folder, 'tollgate/profiles.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toContain(accessToken)

    const status = await output('status')
    expect(status).toMatch(/^Address +http:\/\/127\.0\.0\.1:\d+$/m)
    expect(status).toMatch(/^Account +root \(1, root\)$/m)
    expect(status).not.toContain(accessToken)
  })

  it('shows lists as tables without colours and without what names do to a terminal', async () => {
    const table = await output('channels', 'list')

    expect(table.split('\n')[0]).toMatch(/^ID +NAME +TYPE +STATUS +GROUP/)
    expect(table).toMatch(/^1 +first vendor +1 +enabled +default/m)
    expect(table).not.toContain('\u001b')
    expect((await run(['channels', 'list'], { env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[1mID')
  })

  it('gives programs the same as JSON and YAML, with secrets cut', async () => {
    const tokens = (await json('tokens', 'list')) as { name: string; key: string }[]

    expect(tokens).toMatchObject([{ name: 'laptop', key: `${key.slice(0, 4)}…` }])
    expect(await output('tokens', 'list', '--output', 'yaml')).toMatch(/^- id: 1\n(?: {2}\w+: .*\n)* {2}name: laptop$/m)
    expect(await output('tokens', 'get', '1')).not.toContain(key)
  })

  it.each([
    ['models', 'gpt-4o-mini', 'model_name'],
    ['prices', 'gpt-4o-mini', 'model_name'],
    ['users', '1', 'id'],
    ['options', 'ServerAddress', 'key'],
  ])('lists %s and gets one', async (name, wanted, field) => {
    const [rows, row] = await Promise.all([json(name, 'list', '--limit', '1000'), json(name, 'get', wanted)])
    const read = (one: Record<string, unknown>): string => String(one[field])

    expect((rows as Record<string, unknown>[]).map(read)).toContain(wanted)
    expect(read(row as Record<string, unknown>)).toBe(wanted)
  })

  it('says that something is not there, or not what it takes, in one line', async () => {
    expect(await run(['orgs', 'get', '99'])).toEqual({ code: 1, stdout: '', stderr: 'tollgate: there is no 99 among the orgs\n' })
    expect(await run(['channels', 'get', 'x'])).toEqual({ code: 2, stdout: '', stderr: 'tollgate: not an id: x\n' })
    expect(await run(['nothing'])).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'nothing'") as string })
  })

  it('explains a charge by the id of the entry and of the request', async () => {
    const { id, request_id: request, quota } = await firstEntry()
    const explained = (await json('logs', 'explain', request)) as { log: Entry; charge: { lines: { quota: string }[] } }

    expect(explained.log).toMatchObject({ id, quota })
    expect(explained.charge.lines.length).toBeGreaterThan(0)
    const text = await output('logs', 'explain', String(id))
    expect(text).toMatch(/^Charge +\$\S+ \(\d+ quota\)$/m)
    expect(text).toMatch(/^TRY +CHANNEL +MODEL +OUTCOME +TOOK +RETRY +MESSAGE$/m)
    expect(text).toMatch(/^1 +first vendor +\S+ +answered \(200\) +\d+ ms$/m)
    expect(await output('logs', 'explain', String(id), '--own')).not.toContain('first vendor')
  })

  it('follows the log until it is stopped', async () => {
    await firstEntry()
    const child = start(['logs', 'tail', '--follow', '--limit', '1', '--output', 'json'])
    let seen = ''
    child.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()))
    await vi.waitFor(() => expect(seen).toContain('gpt-4o-mini'), { timeout: 10_000 })
    expect(await chat()).toBe(200)
    const ids = (): Set<number> =>
      new Set(
        seen
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as Entry).id),
      ) // one entry a line
    await vi.waitFor(() => expect(ids().size).toBe(2), { timeout: 20_000 })
    child.kill('SIGTERM')
    await once(child, 'close')
  })

  it('checks the ledger', async () => {
    expect(await output('verify', 'ledger')).toMatch(/The ledger is sound\.\n$/)
  })

  it('checks receipts, and tells one that was changed', async () => {
    const { id } = await firstEntry()
    const { jws } = await dataOf(api.client.GET('/api/log/self/{id}/receipt', { params: { path: { id } } }))
    const file = join(folder, 'receipt.jws')
    await writeFile(file, jws)
    expect(JSON.parse(await output('receipt', 'check', file))).toBeTypeOf('object')

    const [head, content, signature] = jws.split('.')
    await writeFile(file, `${head}.${content}A.${signature}`)
    expect(await run(['receipt', 'check', file])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^tollgate: the signature is wrong.*\n$/) as string,
    })
  })

  it('writes channels to a file, and reads them back', async () => {
    const file = join(folder, 'channels.json')
    await output('export', 'channels', '--file', file)

    expect(await readFile(file, 'utf8')).not.toContain('sk-vendor')
    expect(await json('import', 'channels', file, '--preview')).toMatchObject([{ result: 'known' }])
    expect(await output('export', 'logs')).toContain('gpt-4o-mini')
  })

  describe('with a configuration in files', () => {
    const EXAMPLE = join(import.meta.dirname, '../docs/examples/as-code')
    const env = { OPENAI_API_KEY: 'sk-openai', HOUSE_TEAM: 'blue' }
    const edit = async (file: string, change: (text: string) => string): Promise<void> =>
      await writeFile(file, change(await readFile(file, 'utf8')))

    it('exports, plans no difference, shows a change with its effect in money, applies it, and shows drift', async () => {
      await firstEntry()
      const config = join(folder, 'exported')
      expect(await output('export', 'config', config, '--user-tokens')).toContain('channels.yaml')
      const tokens = await readFile(join(config, 'tokens.yaml'), 'utf8')
      expect(tokens).toMatch(/^ {2}- user: root\n {4}name: laptop$/m)
      expect(tokens).not.toContain(key)
      expect(await run(['plan', config, '--detailed-exitcode'])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^No changes: /) as string,
      })

      await edit(join(config, 'prices.yaml'), () => 'prices: { gpt-4o-mini: { ModelRatio: 1, CompletionRatio: 4 } }')
      const planned = await run(['plan', config, '--detailed-exitcode'])
      expect(planned.code).toBe(6)
      expect(planned.stdout).toMatch(/^~ price gpt-4o-mini\n {4}ModelRatio: 0.075 → 1$/m)
      expect(planned.stdout).toMatch(/^ {4}input: \$0.15 → \$2 per million tokens\n {4}output: \$0.6 → \$8 per million tokens$/m)
      expect(planned.stdout).toMatch(
        /^Effect on the (?:one request|\d+ requests) of the last 7 days: \$0.0\d+ → \$0.0\d+ \(\+\$0.0\d+, \+\d+\.\d%\)$/m,
      )
      expect(planned.stdout).toMatch(/^root +\d+ +\$/m)
      expect(await run(['apply', config, '--no-replay'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string })

      const saved = join(folder, 'plan.json')
      await writeFile(saved, await output('plan', config, '--no-replay', '--output', 'json'))
      expect((await run(['apply', config, '--plan', saved])).stdout).toMatch(/Applied: 1 record changed\.\n$/)
      expect(await run(['apply', config, '--plan', saved])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('price/gpt-4o-mini') as string,
      })

      await dataOf(api.client.PUT('/api/channel', { body: { id: 1, weight: 7 } }))
      expect((await run(['plan', config])).stdout).toMatch(/^ {4}weight: 7 → 0 {2}\(changed outside the files\)$/m)
    })

    it('applies the example of the guide, with secrets of the environment and of files', async () => {
      const copy = join(folder, 'example')
      await cp(join(EXAMPLE, 'config'), copy, { recursive: true })
      await writeFile(join(folder, 'house.key'), 'sk-house\n')

      const applied = await run(['apply', copy, '--owner', 'example', '--yes', '--no-replay'], { env })
      expect(applied).toMatchObject({ code: 0, stderr: '' })
      expect(applied.stdout).toMatch(/^\+ channel house$/m)
      expect(applied.stdout).not.toMatch(/sk-|blue/)
      expect(await run(['plan', copy, '--detailed-exitcode'], { env })).toMatchObject({ code: 0 })
      expect((await run(['plan', copy, '--detailed-exitcode'], { env: { ...env, HOUSE_TEAM: 'red' } })).stdout).toContain(
        'setting: another secret',
      )

      expect(await run(['plan', copy, '--detailed-exitcode', '--without-secrets'])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^No changes: /) as string,
      })

      await rm(join(copy, 'groups.yaml'))
      expect((await run(['plan', copy, '--owner', 'example'], { env })).stdout).toMatch(
        /^No longer in the files, removed with --prune: group partner$/m,
      )
      expect((await run(['apply', copy, '--owner', 'example', '--prune', '--yes', '--no-replay'], { env })).stdout).toMatch(
        /^- group partner\n(?: {4}.*\n)+Plan: 0 to create, 0 to change, 1 to remove\.$/m,
      )
    })

    it('makes tokens and budgets, and writes keys where the files say or shows them once', async () => {
      const people = join(folder, 'people')
      await mkdir(people)
      const token = (name: string): string => `- { user: root, name: ${name}`
      await writeFile(join(people, 'tokens.yaml'), `tokens:\n${token('ci')}, key: { file: ../ci.key } }\n${token('shown')} }\n`)
      await writeFile(join(people, 'budgets.yaml'), 'budgets: [{ user: root, token: ci, window: day, amount: 1000 }]')

      const applied = await run(['apply', people, '--owner', 'people', '--yes'])

      expect(applied).toMatchObject({ code: 0, stderr: '' })
      expect(applied.stdout).toMatch(/^The key of user:root\/token:shown, shown only once: sk-\w{48}$/m)
      const written = (await readFile(join(folder, 'ci.key'), 'utf8')).trim()
      expect(written).toMatch(/^sk-\w{48}$/)
      expect(applied.stdout).not.toContain(written)
      expect(await run(['plan', people, '--owner', 'people', '--detailed-exitcode'])).toMatchObject({ code: 0 })

      await writeFile(join(people, 'tokens.yaml'), `tokens:\n${token('more')}, key: { file: ../ci.key } }\n`)
      expect(await run(['apply', people, '--owner', 'people', '--yes'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('ci.key is there already') as string,
      })
      expect((await readFile(join(folder, 'ci.key'), 'utf8')).trim()).toBe(written)
    })

    it.each([
      ['broken YAML', 'channels:\n  - name: [', /^tollgate: \S+bad\.yaml:\d: .*\n$/],
      ['a key that is there twice', 'groups:\n  a: {}\n  a: {}', /^tollgate: \S+bad\.yaml:3: Map keys must be unique.*\n$/],
      ['too many aliases', `a: &a [${'x,'.repeat(9)}x]\nb: &b [${'*a,'.repeat(9)}*a]\nc: [${'*b,'.repeat(20)}*b]`, /Excessive alias count/],
      ['an unknown field', 'channels:\n  - name: a\n    type: 1\n    colour: red', /bad\.yaml:2: channels\.0 unknown: colour\n$/],
      [
        'a literal key',
        'channels:\n  - name: a\n    type: 1\n    key: sk-literal',
        /bad\.yaml:4: channels\.0\.key a secret is \{ env: NAME \}.*\n$/,
      ],
    ])('says the line of %s, and writes nothing', async (_, text, message) => {
      const bad = join(folder, 'bad')
      await mkdir(bad, { recursive: true })
      await writeFile(join(bad, 'bad.yaml'), text)

      const ended = await run(['apply', bad, '--yes'])

      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) as string })
      expect(ended.stderr).not.toContain('sk-literal')
    })

    it('says that a directory has no files', async () => {
      const empty = join(folder, 'empty')
      await mkdir(empty)
      expect(await run(['plan', empty])).toEqual({ code: 2, stdout: '', stderr: `tollgate: there is no .yaml file in ${empty}\n` })
    })
  })

  describe('checks what was sent and answered', () => {
    const chat = (over: object = {}) => ({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }], ...over })
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    const REQUESTS: readonly (readonly [name: string, path: string, body: object])[] = [
      ['a chat', '/v1/chat/completions', chat()],
      ['a long chat', '/v1/chat/completions', chat({ messages: [{ role: 'user', content: 'long '.repeat(60_000) }] })],
      ['a streamed chat', '/v1/chat/completions', chat({ stream: true })],
      ['a response', '/v1/responses', { model: 'gpt-4o-mini', input: 'hi', store: false }],
      ['a streamed response', '/v1/responses', { model: 'gpt-4o-mini', input: 'hi', store: false, stream: true }],
      ['a message', '/v1/messages', chat({ max_tokens: 50 })],
      ['a streamed message', '/v1/messages', chat({ max_tokens: 50, stream: true })],
      ['Gemini', '/v1beta/models/gpt-4o-mini:generateContent', { contents }],
      ['streamed Gemini', '/v1beta/models/gpt-4o-mini:streamGenerateContent?alt=sse', { contents }],
      ['embeddings', '/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' }],
      ['an image', '/v1/images/generations', { model: 'gpt-image-1', prompt: 'a hat' }],
      ['speech', '/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' }],
    ]
    const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
    const send = async (of: string, path: string, body: Buffer, headers: Record<string, string> = {}): Promise<Response> =>
      await fetch(`${stack.relays[0]?.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${of}`, 'content-type': 'application/json', ...headers },
        body: new Uint8Array(body),
      })
    const receiptOf = async (answer: Response) => {
      const request_id = answer.headers.get('x-oneapi-request-id') ?? ''
      const entry = await vi.waitFor(
        async () => {
          const found = (await entriesOf(request_id))[0]
          if (found === undefined) throw new Error('not posted yet')
          return found
        },
        { timeout: 20_000, interval: 100 },
      )
      return await dataOf(api.client.GET('/api/log/self/{id}/receipt', { params: { path: { id: entry.id } } }))
    }
    const entriesOf = async (request_id: string) =>
      (await dataOf(api.client.GET('/api/log/self', { params: { query: { request_id } } }))).items
    /** Sends bytes, and expects the receipt to state the hashes of what went over the connection. */
    const expectHashes = async (path: string, body: Buffer, headers?: Record<string, string>): Promise<string> => {
      const answer = await send(hashed, path, body, headers)
      const received = Buffer.from(await answer.arrayBuffer())
      expect(answer.status, received.toString().slice(0, 200)).toBe(200)
      const { jws, receipt } = await receiptOf(answer)
      expect(receipt.bodies, path).toEqual({
        request: { sha256: sha256(body), bytes: String(body.length) },
        answer: { sha256: sha256(received), bytes: String(received.length), is_cut: false },
      })
      for (const [name, bytes] of Object.entries({ request: body, answer: received, receipt: Buffer.from(jws) }))
        await writeFile(join(folder, name), bytes)
      return jws
    }
    let hashed: string

    beforeAll(async () => {
      hashed = (await createToken(api, { name: 'hashed', receipt_hashes: true, remain_quota: 50_000_000 })).key
      const models = 'text-embedding-3-small,gpt-image-1,tts-1,whisper-1'
      await createChannel(api, { name: 'other calls', base_url: `${vendor.url}/ok`, models })
      await createChannel(api, { name: 'stalls', base_url: `${vendor.url}/stall`, models: 'gpt-4o' })
      await vi.waitFor(
        async () =>
          expect((await send(hashed, '/v1/embeddings', Buffer.from('{"model":"text-embedding-3-small","input":"hi"}'))).status).toBe(200),
        { timeout: 10_000, interval: 100 },
      )
    })

    it.each(REQUESTS)('of %s', async (_, path, body) => {
      await expectHashes(path, Buffer.from(JSON.stringify(body)))
    })

    it('of a form, and of a compressed body as it was sent', async () => {
      const form = new FormData()
      form.set('model', 'whisper-1')
      form.set('file', new Blob([Buffer.alloc(3000, 7)]), 'a.wav')
      const request = new Request('http://gateway.example', { method: 'POST', body: form })
      const headers = { 'content-type': request.headers.get('content-type') ?? '' }
      await expectHashes('/v1/audio/transcriptions', Buffer.from(await request.arrayBuffer()), headers)
      await expectHashes('/v1/chat/completions', gzipSync(JSON.stringify(chat())), { 'content-encoding': 'gzip' })
    })

    it('against files, and tells one changed byte', async () => {
      await expectHashes('/v1/chat/completions', Buffer.from(JSON.stringify(chat({ stream: true }))))
      const [receipt = '', request = '', answer = ''] = ['receipt', 'request', 'answer'].map((name) => join(folder, name))
      const check = (...files: string[]) => run(['receipt', 'check', receipt, ...files])
      expect(await check('--request', request, '--answer', answer)).toMatchObject({ code: 0, stderr: '' })

      const bytes = await readFile(answer)
      bytes[bytes.length - 1] = 0x21
      await writeFile(answer, bytes)

      expect(await check('--request', request, '--answer', answer)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^tollgate: the answer is another one: .*\n$/) as string,
      })
    })

    it('of an answer that its client left', async () => {
      const body = Buffer.from(JSON.stringify(chat({ model: 'gpt-4o', stream: true })))
      const answer = await send(hashed, '/v1/chat/completions', body)
      const reader = answer.body?.getReader()
      const received = Buffer.from((await reader?.read())?.value ?? [])
      expect(received.toString()).toContain('Hello')
      await reader?.cancel()

      const { receipt } = await receiptOf(answer)

      expect(receipt.bodies?.answer).toEqual({ sha256: sha256(received), bytes: String(received.length), is_cut: true })
    })

    it('only where the token asks for it', async () => {
      const answer = await send(key, '/v1/chat/completions', Buffer.from(JSON.stringify(chat())))
      const received = Buffer.from(await answer.arrayBuffer())
      const { jws, receipt } = await receiptOf(answer)
      expect(receipt).not.toHaveProperty('bodies')

      await Promise.all([writeFile(join(folder, 'receipt'), jws), writeFile(join(folder, 'answer'), received)])
      expect(await run(['receipt', 'check', join(folder, 'receipt'), '--answer', join(folder, 'answer')])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no hash of the answer') as string,
      })
    })
  })

  it('completes commands', async () => {
    const script = `${await output('completion', 'bash')}\nCOMP_WORDS=(tollgate logs e); COMP_CWORD=2; _tollgate; echo "\${COMPREPLY[@]}"`
    const shell = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    let words = ''
    shell.stdout.on('data', (chunk: Buffer) => (words += chunk.toString()))
    await once(shell, 'close')

    expect(words).toBe('explain\n')
    expect(await output('completion', 'fish')).toContain('__fish_seen_subcommand_from logs" -a "tail explain"')
  })

  describe('says in one line what is wrong with a server', () => {
    const old = JSON.stringify({ error: { message: 'Invalid URL (GET /api/organisations/all)' } })
    const status = JSON.stringify({ success: true, message: '', data: { version: '0.9', image_hosts: [], quota_per_unit: 500_000 } })
    const other = JSON.stringify({ success: true, message: '', data: { version: 'v9' } })
    const page = '<!doctype html>'
    const against = (address: string, ...args: string[]): Promise<Ended> =>
      run(args, { env: { TOLLGATE_ADDRESS: address, TOLLGATE_ACCESS_TOKEN: accessToken, TOLLGATE_USER: '1' } })

    it('that is stopped', async () => {
      const address = await serve()
      servers.pop()?.close()
      expect(await against(address, 'status')).toEqual({
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(/^tollgate: cannot reach \S+: .*ECONNREFUSED.*\n$/) as string,
      })
    })

    it('that is slow', async () => {
      const ended = await against(await serve(), 'status', '--timeout', '1')
      expect(ended).toEqual({
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(/^tollgate: \S+ did not answer in time; .*\n$/) as string,
      })
    })

    it('that is older', async () => {
      const address = await serve((path) => (path === '/api/status' ? { status: 200, body: status } : { status: 404, body: old }))
      expect(await against(address, 'orgs', 'list')).toEqual({
        code: 4,
        stdout: '',
        stderr: expect.stringMatching(/^tollgate: the Tollgate at \S+ is older than this command.*\n$/) as string,
      })
    })

    it.each([
      ['a page', { status: 200, body: page }],
      ['another gateway', { status: 200, body: other }],
      ['a proxy', { status: 502, body: page }],
    ])('that is %s', async (_, answer) => {
      const ended = await against(await serve(() => answer), 'channels', 'list')
      expect(ended).toEqual({
        code: 4,
        stdout: '',
        stderr: expect.stringMatching(/^tollgate: \S+ does not answer like Tollgate: .*\n$/) as string,
      })
    })

    it('that does not accept the access token', async () => {
      const env = { TOLLGATE_ADDRESS: stack.controlPlane.url, TOLLGATE_ACCESS_TOKEN: 'not-a-token', TOLLGATE_USER: '1' }
      const ended = await run(['channels', 'list'], { env })
      expect(ended).toMatchObject({ code: 5, stdout: '', stderr: expect.stringMatching(/^tollgate: not allowed at .*\n$/) as string })
      expect(ended.stderr).not.toContain('not-a-token')
    })
  })
})
