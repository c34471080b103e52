import type { NewTaskRow } from '@tollgate/db/queries/tasks/task-list'

/** Places in the demo's users; `minutes` before now. */
type DemoTask = Pick<NewTaskRow, 'family' | 'platform' | 'action' | 'model' | 'state' | 'status' | 'progress' | 'quota'> & {
  readonly user: number
  readonly minutes: number
  readonly seconds: number
  readonly prompt: string
  readonly prompt_en?: string
  readonly code?: number
  readonly fail_reason?: string
  readonly image_url?: string
  readonly media?: NonNullable<NewTaskRow['media']>
}

const CENT = 5_000
const DONE = { state: 'success', status: 'SUCCESS', progress: '100%' } as const
const FAILED = { state: 'failure', status: 'FAILURE', progress: '100%' } as const
const QUEUED = { state: 'submitted', status: 'SUBMITTED', progress: '0%' } as const
const RUNNING = { state: 'in_progress', status: 'IN_PROGRESS' } as const

const drawing = { family: 'midjourney', platform: 'midjourney', code: 1 } as const
const song = { family: 'suno', platform: 'suno', action: 'MUSIC', model: 'suno_music', quota: 10 * CENT } as const
const film = { family: 'video', action: 'VIDEO' } as const
/** Pictures and sounds that need no server. */
const PICTURE = '/logo.png'

const TASKS: readonly DemoTask[] = [
  {
    ...drawing,
    ...RUNNING,
    action: 'IMAGINE',
    model: 'mj_imagine',
    progress: '46%',
    quota: 10 * CENT,
    user: 2,
    minutes: 1,
    seconds: 0,
    prompt: '雨夜的霓虹街道，电影感，35mm --ar 16:9',
    prompt_en: 'neon street on a rainy night, cinematic, 35mm --ar 16:9',
  },
  {
    ...drawing,
    ...QUEUED,
    action: 'VARIATION',
    model: 'mj_variation',
    quota: 10 * CENT,
    code: 22,
    user: 2,
    minutes: 2,
    seconds: 0,
    prompt: '',
  },
  {
    ...drawing,
    ...DONE,
    action: 'UPSCALE',
    model: 'mj_upscale',
    quota: 5 * CENT,
    user: 2,
    minutes: 9,
    seconds: 21,
    prompt: '',
    image_url: PICTURE,
  },
  {
    ...drawing,
    ...DONE,
    action: 'IMAGINE',
    model: 'mj_imagine',
    quota: 10 * CENT,
    user: 2,
    minutes: 14,
    seconds: 84,
    prompt: '水彩风格的山间小屋，晨雾，留白',
    prompt_en: 'watercolour cabin in the mountains, morning mist, negative space',
    image_url: PICTURE,
  },
  {
    ...drawing,
    ...FAILED,
    action: 'IMAGINE',
    model: 'mj_imagine',
    quota: 10 * CENT,
    code: 24,
    user: 4,
    minutes: 95,
    seconds: 3,
    prompt: 'portrait of a celebrity, photorealistic',
    prompt_en: 'portrait of a celebrity, photorealistic',
    fail_reason:
      'Banned prompt: the prompt contains words that the upstream does not allow. Change the prompt and submit again; this task was not charged.',
  },
  {
    ...drawing,
    ...DONE,
    action: 'DESCRIBE',
    model: 'mj_describe',
    quota: 5 * CENT,
    user: 5,
    minutes: 240,
    seconds: 17,
    prompt: 'a ceramic teapot on a linen cloth, soft daylight, still life photography',
    image_url: PICTURE,
  },
  {
    ...drawing,
    ...DONE,
    action: 'BLEND',
    model: 'mj_blend',
    quota: 10 * CENT,
    user: 5,
    minutes: 300,
    seconds: 58,
    prompt: '',
    image_url: PICTURE,
  },
  {
    ...drawing,
    state: 'in_progress',
    status: 'MODAL',
    progress: '0%',
    action: 'INPAINT',
    model: 'mj_inpaint',
    quota: 0,
    user: 2,
    minutes: 410,
    seconds: 0,
    prompt: '',
  },
  {
    ...drawing,
    ...DONE,
    action: 'SWAP_FACE',
    model: 'swap_face',
    quota: 5 * CENT,
    user: 4,
    minutes: 1500,
    seconds: 33,
    prompt: '',
    image_url: PICTURE,
  },
  {
    ...drawing,
    ...FAILED,
    action: 'ZOOM',
    model: 'mj_zoom',
    quota: 10 * CENT,
    user: 2,
    minutes: 2900,
    seconds: 3600,
    prompt: '',
    fail_reason: '上游任务超时（超过1小时）',
  },
  {
    ...drawing,
    ...DONE,
    action: 'HIGH_VARIATION',
    model: 'mj_high_variation',
    quota: 10 * CENT,
    user: 2,
    minutes: 2950,
    seconds: 66,
    prompt: '一只戴围巾的柴犬，绘本插画',
    prompt_en: 'a shiba inu with a scarf, picture book illustration',
    image_url: PICTURE,
  },
  {
    ...drawing,
    ...DONE,
    action: 'SHORTEN',
    model: 'mj_shorten',
    quota: 10 * CENT,
    user: 6,
    minutes: 4300,
    seconds: 8,
    prompt: 'an extremely detailed, very beautiful, ultra realistic picture of a lighthouse',
    image_url: '',
  },
  { ...song, ...RUNNING, progress: '63%', user: 3, minutes: 1, seconds: 0, prompt: '一首关于海边夏夜的城市流行' },
  {
    ...song,
    ...DONE,
    user: 3,
    minutes: 12,
    seconds: 74,
    prompt: 'lo-fi beat for rainy mornings, vinyl crackle',
    media: [
      { kind: 'audio', url: 'https://media.example.com/rainy-morning-1.mp3', title: 'Rainy Morning' },
      { kind: 'audio', url: 'https://media.example.com/rainy-morning-2.mp3', title: 'Rainy Morning (second take)' },
    ],
  },
  {
    ...song,
    ...DONE,
    action: 'LYRICS',
    model: 'suno_lyrics',
    quota: CENT,
    user: 3,
    minutes: 18,
    seconds: 6,
    prompt: '给毕业典礼写一首歌词',
  },
  {
    ...film,
    ...DONE,
    platform: 'kling',
    model: 'kling-v2-master',
    quota: 140 * CENT,
    user: 1,
    minutes: 26,
    seconds: 187,
    prompt: 'a paper boat drifts down a flooded street, slow dolly',
    media: [
      { kind: 'video', url: 'https://media.example.com/paper-boat.mp4', title: 'a paper boat drifts down a flooded street, slow dolly' },
    ],
  },
  {
    ...film,
    state: 'queued',
    status: 'QUEUED',
    progress: '',
    platform: 'vidu',
    model: 'viduq1',
    quota: 40 * CENT,
    user: 1,
    minutes: 3,
    seconds: 0,
    prompt: '无人机掠过雪山',
  },
  {
    ...film,
    ...FAILED,
    platform: 'sora',
    model: 'sora-2',
    quota: 40 * CENT,
    user: 1,
    minutes: 48,
    seconds: 12,
    prompt: 'a famous cartoon mouse dances',
    fail_reason: 'moderation_blocked: Your request was blocked by our moderation system.',
  },
  {
    ...film,
    ...DONE,
    platform: 'doubao',
    model: 'doubao-seedance-1-0-pro',
    quota: 75 * CENT,
    user: 1,
    minutes: 70,
    seconds: 55,
    prompt: '城市延时摄影，从黄昏到夜晚',
    media: [{ kind: 'video', url: 'https://media.example.com/city.mp4' }],
  },
]

type Place = { readonly now: number; readonly users: readonly number[]; readonly channel: number }

/** Drawings, songs and films in every state. None of them is polled: their channel is made up. */
export function demoTasks({ now, users, channel }: Place): readonly NewTaskRow[] {
  const never = (now + 365 * 86_400) * 1_000
  return TASKS.map(({ user, minutes, seconds, ...task }, index) => {
    const submit_time = (now - minutes * 60) * 1_000
    const isOver = seconds > 0
    return {
      ...task,
      is_posted: true,
      // A task that failed would need a refund in the wallet.
      quota: task.state === 'failure' ? 0 : task.quota,
      task_id: `task_demo${String(index).padStart(4, '0')}`,
      request_id: `demo-task-${index}`,
      user_id: users[user] ?? 0,
      channel_id: channel,
      submit_time,
      start_time: submit_time + 1_200,
      finish_time: isOver ? submit_time + seconds * 1_000 : 0,
      updated_at: submit_time + seconds * 1_000,
      deadline: never,
    }
  })
}
