import { readTask, submitTask } from '../../../tests/chaos/tasks/task-calls.ts'
import { TASK_KINDS, TASK_PRICE_USD, taskIdOf, taskScriptOf, type TaskScript } from '../../../tests/chaos/tasks/task-script.ts'
import { startTaskVendor } from '../../../tests/chaos/tasks/task-vendor.ts'
import { ConsoleError, type ConsoleUser } from '../console.ts'
import { waitUntilNone, type Part } from './part.ts'

/** A store was slow; the media are read again. */
const UNAVAILABLE = 503

type OpenTask = { readonly id: string; readonly task_id: string }

/** Drawings, songs and videos of seven vendors: those scripts of the chaos tests that end in a known way. */
export async function createTasks(admin: ConsoleUser, relay: string, key: string): Promise<Part> {
  const vendor = await startTaskVendor([relay], 'steady')
  const kinds = Object.entries(TASK_KINDS)
  const options = await admin.get<{ key: string; value: string }[]>('/api/option/')
  const prices = JSON.parse(options.find(({ key: name }) => name === 'ModelPrice')?.value ?? '{}') as object // the option's own value
  const added = Object.fromEntries(kinds.map(([, { model }]) => [model, TASK_PRICE_USD]))
  await admin.send('PUT', '/api/option/', { key: 'ModelPrice', value: JSON.stringify({ ...prices, ...added }) })
  await admin.send('PUT', '/api/option/', { key: 'MjNotifyEnabled', value: 'true' })
  for (const [name, { channelType: type, model: models }] of kinds)
    await admin.send('POST', '/api/channel/', {
      name,
      type,
      base_url: vendor.url,
      models,
      group: 'default',
      key: 'access|secret',
      auto_ban: 0,
    })
  const open = new Map<string, OpenTask>()
  let last = 0
  const nextId = (): string => {
    for (;;) {
      const id = taskIdOf(1, (last += 1))
      if (isPlain(taskScriptOf(id))) return id
    }
  }
  const read = async (task: OpenTask): Promise<void> => {
    const { id, task_id } = task
    const found = await readTask({ relay, key, id }, task_id)
    if (found === undefined || found.media_status === UNAVAILABLE) return
    open.delete(task_id)
    const { course, kind } = taskScriptOf(id)
    if (found.end !== course) throw new Error(`task ${id} of ${kind} ended with ${found.end} instead of ${course}`)
    if (found.media_status !== 0 && found.media_status !== 200) throw new Error(`media of task ${id} of ${kind}: ${found.media_status}`)
  }
  return {
    name: 'tasks',
    about:
      'a drawing, song or video is submitted, asked about by the worker or reported by its vendor, and its media read; its end is checked',
    pauseMs: 1500,
    act: async () => {
      const id = nextId()
      const answer = await submitTask({ relay, key, id })
      if (answer === undefined) throw new Error(`the relay did not answer task ${id}`)
      if (answer.task_id === '') throw new ConsoleError(`task ${id}`, answer.status, 'not taken')
      open.set(answer.task_id, { id, task_id: answer.task_id })
      const [oldest] = open.values()
      if (oldest !== undefined) await read(oldest)
    },
    settle: () =>
      waitUntilNone(async () => {
        for (const task of open.values()) await read(task)
        return open.size
      }, 'tasks did not end'),
    close: async () => vendor.stop(),
  }
}

const isPlain = ({ answer, course }: TaskScript): boolean => answer === 'accept' && (course === 'success' || course === 'failure')
