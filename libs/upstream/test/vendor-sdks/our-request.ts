import type { Outbound } from '@tollgate/outbound/outbound'
import type { JsonObject } from '@tollgate/providers/json'
import type { Operation } from '@tollgate/providers/calls/operation'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { embeddings } from '@tollgate/providers/operations/embeddings'
import { rerank } from '@tollgate/providers/operations/rerank'
import { createSigner } from '../../src/signer.ts'
import { prepareSample } from '../prepare-sample.ts'
import { clientBody } from './client-bodies.ts'
import { comparableHeaders } from './headers.ts'
import type { RecordedRequest } from './recording.ts'
import type { Conversation, VendorSdk } from './sdks.ts'

/** The gateway's request for a conversation on a channel of the SDK's vendor; `key` is the channel's. */
export async function ourRequest(
  sdk: VendorSdk,
  conversation: Conversation,
  { key, outbound }: { readonly key: string; readonly outbound: Pick<Outbound, 'request'> },
): Promise<RecordedRequest> {
  const model = sdk.models[conversation] ?? sdk.models.chat
  const { type, base_url, other } = sdk
  const { operation, body, route } = clientCallOf(sdk, conversation, model)
  const prepared = prepareSample({ operation, body, route, type, key, ...(base_url === undefined ? {} : { base_url }), other })
  if (prepared.kind !== 'ok') throw new Error(`${sdk.package}, ${conversation}: ${JSON.stringify(prepared)}`)
  const signed =
    prepared.signing === undefined
      ? ({ kind: 'ok', call: prepared.call } as const)
      : await createSigner({ outbound, now: Date.now }).sign(prepared.signing, prepared.call, key)
  if (signed.kind !== 'ok') throw new Error(signed.failure.message)
  const { method, origin, path, headers, body: bytes } = signed.call
  return {
    method,
    url: `${origin}${path}`,
    headers: comparableHeaders(pairsOf(headers)),
    ...(bytes === undefined ? {} : { body: JSON.parse(bytes.toString()) as unknown }),
  }
}

type ClientCall = {
  readonly operation: Operation
  readonly body: JsonObject
  readonly route: { readonly model?: string; readonly is_stream?: boolean }
}

function clientCallOf({ client }: VendorSdk, conversation: Conversation, model: string): ClientCall {
  const body = clientBody(client, conversation, model)
  if (conversation === 'embedding') return { operation: embeddings, body, route: {} }
  if (conversation === 'rerank') return { operation: rerank, body, route: {} }
  const operation = chatOperation(chatCodecs[client])
  // Gemini's clients name the model and the stream in the path.
  return client === 'gemini' ? { operation, body, route: { model, is_stream: conversation === 'stream' } } : { operation, body, route: {} }
}

function pairsOf(headers: readonly string[]): readonly (readonly [string, string])[] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? ''] as const] : []))
}
