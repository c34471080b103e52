import { signInternal } from '@tollgate/http/internal-auth'
import { DEFERRED_CALLS } from '@tollgate/contracts/deferred/deferred-calls'
import { INTERNAL_PATHS, type TaskCreateRequest } from '@tollgate/contracts/relay/internal-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../test/test-app.ts'
import { createInternalApp } from './internal-app.ts'

const OWNER = { user_id: 1, token_id: 1 } as const
const ID = 'no\u0000ne\ud800'

describe('texts that Postgres cannot store', () => {
  let test: TestApp
  let app: ReturnType<typeof createInternalApp>
  beforeAll(async () => {
    test = await createTestApp()
    await test.setUp()
    app = createInternalApp(test.deps)
  })
  afterAll(() => test.stop())

  const call = async (path: string, request: object) => {
    const body = JSON.stringify(request)
    const auth = signInternal({ method: 'POST', path, body, nowMs: Date.now() }, [test.deps.env.INTERNAL_SECRETS[0] ?? ''])
    const answer = await app.request(path, { method: 'POST', body, headers: { 'X-Internal-Auth': auth } })
    return { status: answer.status, body: await answer.json() }
  }

  it.each([
    ['a batch', DEFERRED_CALLS.batchFind.path, { user_id: 1, id: ID }, { batch: null }],
    ['a file', DEFERRED_CALLS.fileFind.path, { user_id: 1, id: ID }, { file: null }],
    ['a response', DEFERRED_CALLS.responseFind.path, { user_id: 1, id: ID }, { response: null }],
    ['a task', INTERNAL_PATHS.taskFind, { user_id: 1, family: 'video', task_ids: [ID] }, { tasks: [] }],
  ])('find nothing: %s', async (_what, path, request, body) => {
    expect(await call(path, request)).toEqual({ status: 200, body })
  })

  it('are stored without what it cannot store', async () => {
    const task: TaskCreateRequest = {
      ...OWNER,
      request_id: 'r1',
      channel_id: 1,
      model: 'sora-2',
      task: {
        task_id: 't1',
        family: 'video',
        platform: '1',
        vendor_task_id: 'v1',
        channel_key: '',
        action: 'generate',
        state: 'submitted',
        status: '',
        code: 1,
        progress: '',
        prompt: 'a c\u0000at\ud800',
        description: '',
        fail_reason: '',
        image_url: '',
        callback_url: '',
        submit_time: Date.now(),
        deadline: Date.now() + 60_000,
      },
    }

    expect(await call(INTERNAL_PATHS.taskCreate, task)).toMatchObject({ status: 200 })
    expect(await test.database.db.selectFrom('tasks').select('prompt').where('task_id', '=', 't1').execute()).toEqual([
      { prompt: 'a cat\ufffd' },
    ])
  })
})
