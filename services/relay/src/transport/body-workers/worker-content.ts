import type { GenAiMessages } from '@tollgate/providers/chat/gen-ai-messages'
import type { ModelRequest } from '@tollgate/providers/chat/model-request'
import type { MediaSource } from '@tollgate/providers/chat/request'
import type { Obstacle, Operation } from '@tollgate/providers/calls/operation'
import type { ApiFormat } from '@tollgate/providers/calls/api-format'
import type { JsonObject } from '@tollgate/providers/json'
import { headersRead } from '@tollgate/upstream/param-override'
import { prepare, type EncodedCall, type Prepared, type PrepareInput } from '@tollgate/upstream/prepare'
import type { Content, Preparing } from '../content.ts'
import type { EncodeResult, EncodeTask, ReadFacts } from './messages.ts'

/** The worker that holds the parsed body. */
export type Holder = {
  encode(task: Omit<EncodeTask, 'kind' | 'body'>): Promise<EncodeResult>
  describe(): Promise<GenAiMessages | undefined>
  drop(): void
}

/** Content held by a body worker; what the steps need was computed when the worker read it. */
export class WorkerContent implements Content {
  readonly #operation: Operation
  readonly #read: ReadFacts
  readonly #holder: Holder

  constructor(operation: Operation, read: ReadFacts, holder: Holder) {
    const formatFor = (formats: readonly ApiFormat[]) => this.formatFor(formats)
    this.#operation = { ...operation, formatFor }
    this.#read = read
    this.#holder = holder
  }

  hasSensitive(): boolean {
    return this.#read.has_sensitive
  }

  estimate(): number {
    return this.#read.prompt_tokens
  }

  affinityKeyFor(): number | undefined {
    return this.#read.affinity_key
  }

  formatFor(formats: readonly ApiFormat[]): ApiFormat | undefined {
    const [own, ...others] = this.#read.formats
    return own !== undefined && formats.includes(own) ? own : formats.find((format) => others.includes(format))
  }

  findObstacle(): Obstacle | undefined {
    return this.#read.obstacle
  }

  async prepare({ inputFor, fetchMedia }: Preparing): Promise<Prepared> {
    const outline = this.#inputFrom(inputFor, NO_FIELDS)
    const made = await this.#encode(outline, fetchMedia)
    if (made === undefined) return prepare(outline)
    const operation = { ...this.#operation, formatFor: () => made.format }
    return prepare({ ...this.#inputFrom(inputFor, made.kept), operation, encoded: made.encoded })
  }

  describe(): Promise<GenAiMessages | undefined> {
    return this.#holder.describe()
  }

  drop(): void {
    this.#holder.drop()
  }

  /** The facts for a translator that reads answers, and the fields that the answer repeats. The worker encodes the rest. */
  #inputFrom(inputFor: (request: ModelRequest) => PrepareInput, kept: JsonObject): PrepareInput {
    const input = inputFor({ ...this.#read.facts, body: kept, texts: [], tool_texts: [] })
    return { ...input, operation: this.#operation }
  }

  /** Undefined: the request cannot be sent to this channel. */
  async #encode(input: PrepareInput, fetchMedia: Preparing['fetchMedia']): Promise<Made | undefined> {
    const first = await this.#holder.encode(taskOf(input))
    const made = first.kind === 'media' ? await this.#holder.encode(taskOf(input, await fetchMedia(first.urls))) : first
    if (made.kind !== 'encoded') return undefined
    const { format, body, rest, kept } = made
    return { format, kept, encoded: { ...rest, body: body === undefined ? input.given.raw : Buffer.from(body.buffer) } }
  }
}

const NO_FIELDS: JsonObject = {}

type Made = { readonly format: ApiFormat; readonly kept: JsonObject; readonly encoded: EncodedCall }

function taskOf(
  {
    channel,
    key,
    query = '',
    given,
    without = [],
    retry_index = 0,
    is_renamed = false,
    clientHeader = () => '',
    headers = {},
  }: PrepareInput,
  media?: ReadonlyMap<string, MediaSource>,
): Omit<EncodeTask, 'kind' | 'body'> {
  const { id, type, base_url, openai_organization, model_mapping, param_override, setting, other } = channel
  const { content_type, request_id, created, prompt_tokens } = given
  return {
    channel: { id, type, base_url, openai_organization, model_mapping, param_override, setting, other },
    key,
    query,
    without,
    retry_index,
    ...(is_renamed ? { model: given.request.model } : {}),
    forwarded: headers,
    headers: headersRead(param_override, clientHeader),
    given: { content_type, request_id, created, prompt_tokens },
    ...(media === undefined ? {} : { media }),
  }
}
