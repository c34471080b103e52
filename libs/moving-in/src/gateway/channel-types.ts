import { z } from 'zod'

/** A channel type of one-api in the numbers of this gateway; resellers that speak OpenAI's format become that, with their address. */
type Counterpart = { readonly type: number; readonly base_url?: string }

const OPENAI = 1
const same = (type: number): Counterpart => ({ type })
const compatible = (base_url: string): Counterpart => ({ type: OPENAI, base_url })

/** Numbers of one-api 0.6; 38 (DeepL) and 43 (proxy) have no counterpart. */
const ONE_API_TYPES: Readonly<Record<number, Counterpart>> = {
  1: same(1),
  2: compatible('https://oa.api2d.net'),
  3: same(3),
  4: compatible('https://api.closeai-proxy.xyz'),
  5: compatible('https://api.openai-sb.com'),
  6: same(6),
  7: same(7),
  8: same(OPENAI),
  9: same(9),
  10: same(10),
  11: same(11),
  12: same(12),
  13: same(13),
  14: same(14),
  15: same(15),
  16: same(26),
  17: same(17),
  18: same(18),
  19: same(19),
  20: same(20),
  21: same(21),
  22: same(22),
  23: same(23),
  24: same(24),
  25: same(25),
  26: compatible('https://api.baichuan-ai.com'),
  27: same(35),
  28: same(42),
  29: compatible('https://api.groq.com/openai'),
  30: same(4),
  31: same(31),
  32: compatible('https://api.stepfun.com'),
  33: same(33),
  34: same(49),
  35: same(34),
  36: same(43),
  37: same(39),
  39: compatible('https://api.together.xyz'),
  40: same(45),
  41: compatible('https://api.novita.ai/openai'),
  42: same(41),
  44: same(40),
  45: same(48),
  46: same(56),
  47: same(46),
  48: compatible('https://spark-api-open.xf-yun.com'),
  49: same(17),
  50: same(OPENAI),
  51: same(24),
}

export const counterpartOf = (type: number): Counterpart | undefined => ONE_API_TYPES[type]

/** `config` of a one-api channel: what `other` and the key hold elsewhere. */
export const OneApiConfig = z.looseObject({
  region: z.string().optional(),
  ak: z.string().optional(),
  sk: z.string().optional(),
  user_id: z.string().optional(),
  api_version: z.string().optional(),
  library_id: z.string().optional(),
  plugin: z.string().optional(),
  vertex_ai_project_id: z.string().optional(),
  vertex_ai_adc: z.string().optional(),
})
