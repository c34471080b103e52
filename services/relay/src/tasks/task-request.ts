import { findSensitive, type WordSearch } from '@tollgate/domain/access/sensitive'
import { toInputMessages } from '@tollgate/providers/chat/gen-ai-messages'
import type { TaskRequest } from '@tollgate/providers/tasks/task-family'
import type { Operation } from '@tollgate/providers/calls/operation'
import { TASK_OPERATIONS, type TaskFormat } from '../task-operations.ts'
import type { Content } from '../transport/content.ts'
import type { Conversation, ParsedRequest } from '../request/parsed-request.ts'
import type { Body } from '../transport/body/collect-body.ts'

type Input = {
  readonly body: Body
  readonly task: TaskRequest
  readonly family: TaskFormat
  readonly conversation: Conversation | undefined
}

/** A submission as the pipeline sees it. */
export function toTaskParsedRequest({ body, task, family, conversation }: Input): ParsedRequest {
  const operation = TASK_OPERATIONS[family]
  return {
    body,
    operation,
    content_type: 'application/json',
    content: contentOf(task, operation),
    chat: {
      model: task.model,
      is_stream: false,
      include_usage: false,
      max_tokens: 0,
      n: 1,
      reasoning_effort: undefined,
      has_tools: false,
      extra_tokens: 0,
      classes: { audio: false, images: false, cache_write: false },
      ...(task.priced === undefined ? {} : { priced: task.priced }),
    },
    ...(conversation === undefined ? {} : { conversation }),
  }
}

function contentOf({ prompt }: TaskRequest, operation: Operation): Content {
  return {
    hasSensitive: (words: WordSearch) => findSensitive(words, prompt) !== undefined,
    estimate: () => 1,
    affinityKeyFor: () => undefined,
    formatFor: (formats) => (formats.includes(operation.name as TaskFormat) ? (operation.name as TaskFormat) : undefined), // the name of an operation above
    findObstacle: () => undefined,
    prepare: () => {
      throw new Error('a task has no translator')
    },
    describe: () =>
      prompt === '' ? undefined : toInputMessages({ messages: [{ role: 'user', parts: [{ kind: 'text', text: prompt }] }] }),
    drop: () => undefined,
  }
}
