import type { Json } from './task-vendor.ts'

/** Stands for the gateway's id of the task in the client's answer. */
export const TASK_ID = 'the id of the task'

type DrawingCase = {
  readonly what: string
  readonly path: string
  /** Body that the client sends and the vendor must get. */
  readonly body: Json
  readonly vendorPath: string
  readonly answer: Json
  /** Answer that the client must get. */
  readonly answered: Json
  /** Quota. */
  readonly price: number
  /** Row that the drawing log must show. */
  readonly listed: Json
}

/** Quota of 0.05 US dollars. */
const CHEAP = 25_000
const PRICE = 50_000
const PICTURE = 'data:image/png;base64,iVBORw0KGgo='
const UPLOADED = ['https://cdn.example/a.png', 'https://cdn.example/b.png']

const taken = (code: number, description: string, properties: Json = {}): Pick<DrawingCase, 'answer' | 'answered'> => ({
  answer: { code, description, result: '0741798445574458', properties },
  answered: { code: 1, description, result: TASK_ID, properties },
})
/** A refusal with status 200, which the client gets as it is. */
const refused = (code: number, description: string): Pick<DrawingCase, 'answer' | 'answered'> => ({
  answer: { code, description },
  answered: { code, description },
})
const imagine = (prompt: string): Pick<DrawingCase, 'path' | 'body' | 'vendorPath'> => ({
  path: '/mj/submit/imagine',
  body: { prompt, botType: 'NIJI_JOURNEY', base64Array: [PICTURE], state: 'of the client' },
  vendorPath: '/mj/submit/imagine',
})
const swap: Pick<DrawingCase, 'path' | 'body' | 'vendorPath'> = {
  path: '/mj/insight-face/swap',
  body: { sourceBase64: PICTURE, targetBase64: PICTURE },
  vendorPath: '/mj/insight-face/swap',
}
const submitted: Json = { code: 1, status: '', progress: '0%', fail_reason: '' }

/** Submissions that need no earlier task, and every code of an answer: https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md */
export const DRAWING_CASES: readonly DrawingCase[] = [
  { what: 'a swapped face', ...swap, ...taken(1, 'Submit success'), price: CHEAP, listed: { ...submitted, action: 'SWAP_FACE' } },
  {
    what: 'uploaded images',
    path: '/mj/submit/upload-discord-images',
    body: { base64Array: [PICTURE, PICTURE] },
    vendorPath: '/mj/submit/upload-discord-images',
    answer: { code: 1, description: 'success', result: UPLOADED },
    answered: { code: 1, description: 'success', result: UPLOADED },
    price: CHEAP,
    listed: { code: 1, action: 'UPLOAD', status: 'SUCCESS', progress: '100%', fail_reason: '' },
  },
  {
    what: 'a description',
    path: '/mj-relax/mj/submit/describe',
    body: { base64: PICTURE, botType: 'MID_JOURNEY' },
    vendorPath: '/mj/submit/describe',
    ...taken(1, '提交成功'),
    price: CHEAP,
    listed: { ...submitted, action: 'DESCRIBE' },
  },
  {
    what: 'blended images',
    path: '/mj/submit/blend',
    body: { base64Array: [PICTURE, PICTURE], dimensions: 'SQUARE' },
    vendorPath: '/mj/submit/blend',
    ...taken(1, '提交成功'),
    price: PRICE,
    listed: { ...submitted, action: 'BLEND' },
  },
  {
    what: 'a shorter prompt',
    path: '/mj-turbo/mj/submit/shorten',
    body: { prompt: 'a very, very long prompt' },
    vendorPath: '/mj/submit/shorten',
    ...taken(1, '提交成功'),
    price: PRICE,
    listed: { ...submitted, action: 'SHORTEN', prompt: 'a very, very long prompt' },
  },
  {
    what: 'an edited image',
    path: '/mj-fast/mj/submit/edits',
    body: { prompt: 'with a hat', image: PICTURE, maskBase64: PICTURE },
    vendorPath: '/mj/submit/edits',
    ...taken(1, '提交成功'),
    price: PRICE,
    listed: { ...submitted, action: 'EDITS', prompt: 'with a hat' },
  },
  {
    what: 'a video',
    path: '/mj/submit/video',
    body: { prompt: 'a bee arrives', motion: 'low', image: PICTURE },
    vendorPath: '/mj/submit/video',
    ...taken(1, '提交成功'),
    price: 8 * PRICE,
    listed: { ...submitted, action: 'VIDEO', prompt: 'a bee arrives' },
  },
  {
    what: 'a queued image (code 22)',
    ...imagine('queued'),
    ...taken(22, '排队中，前面还有1个任务', { numberOfQueues: 1, discordInstanceId: '1' }),
    price: PRICE,
    listed: { ...submitted, code: 22, action: 'IMAGINE', prompt: 'queued', description: '排队中，前面还有1个任务' },
  },
  {
    what: 'a queued description (code 22)',
    path: '/mj/submit/describe',
    body: { base64: PICTURE },
    vendorPath: '/mj/submit/describe',
    ...taken(22, '排队中'),
    price: CHEAP,
    listed: { ...submitted, code: 22, action: 'DESCRIBE' },
  },
  {
    what: 'a queued swap, which costs nothing (code 22)',
    ...swap,
    ...taken(22, '排队中'),
    price: 0,
    listed: { ...submitted, code: 22, action: 'SWAP_FACE' },
  },
  {
    what: 'an image that exists (code 21)',
    ...imagine('drawn before'),
    ...taken(21, '任务已存在', { status: 'SUCCESS', imageUrl: 'https://cdn.example/old.png' }),
    price: PRICE,
    listed: { code: 21, action: 'IMAGINE', status: 'SUCCESS', progress: '100%', fail_reason: '' },
  },
  ...(
    [
      [3, '无可用的账号实例'],
      [5, '未知错误'],
      [23, '队列已满，请稍后尝试'],
      [24, '可能包含敏感词'],
    ] as const
  ).map(([code, description]) => ({
    what: `a refusal of code ${code}`,
    ...imagine(`refused with ${code}`),
    ...refused(code, description),
    price: 0,
    listed: { code, action: 'IMAGINE', prompt: `refused with ${code}`, status: 'FAILURE', progress: '100%', fail_reason: description },
  })),
  {
    what: 'a refused swap (code 5)',
    ...swap,
    ...refused(5, '未知错误'),
    price: 0,
    listed: { code: 5, action: 'SWAP_FACE', status: 'FAILURE', progress: '100%', fail_reason: '未知错误' },
  },
]
