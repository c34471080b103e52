import { playground, type PlaygroundBody } from '@tollgate/contracts/resources/playground'
import { open } from '../../lib/api.ts'

/** Opens the stream of an answer, or gets the response that refuses it. */
export const askModel = (body: PlaygroundBody, signal: AbortSignal): Promise<Response> => open(playground.chat, { body, signal })
