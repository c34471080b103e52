import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * The text of a usage event as a log row keeps it: a byte with the version, and the text compressed with a dictionary of what most events
 * contain. Versions are never changed, because rows are read for years (docs/adr/0147-log-rows-keep-the-event.md).
 */
const VERSION = 1

/**
 * Names and numbers in the places where events of several formats have them, the most usual last: nearer text takes fewer bits. Events of
 * ADR 142, without the names of an installation.
 */
const DICTIONARY = Buffer.from(
  [
    '"error":{"message":"upstream_error","type":"server_error","code":"rate_limit_exceeded"Too Many Requestsinvalid_request_error',
    '"timeout""network""refused"insufficient_quota"service_unavailable"model_not_found"bad_response_status_code',
    '"web_search":{"price":10,"count":1}"tools":{"tiers":"flex""speech""seconds":"cards":',
    '"user""token""group""5h""day""month""total""refuse""warn"',
    '{"input_tokens":,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":,"service_tier":"standard"}',
    '{"promptTokenCount":,"candidatesTokenCount":,"totalTokenCount":,"thoughtsTokenCount":}',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'anthropic-sdk-typescript/python-requests/2.32.3"curl/8.5.0""node""undici"Go-http-client/2.0okhttp/4.12.0axios/1.7.9"Anthropic/Python 0.7',
    'AsyncOpenAI/Python 1.1"OpenAI/JS 6.1claude-cli/2.0.14 (external, cli)',
    'claude-opus-4-1claude-haiku-4-5claude-sonnet-4-5-20250929deepseek-chatdeepseek-reasonerqwen3-maxgemini-2.5-progemini-2.5-flash',
    'text-embedding-3-small"gpt-4.1-mini"gpt-5-mini"gpt-4o-mini"gpt-4o","vip",0.5,',
    '"cheapest""fastest""effective-cost"[1,[1234567890,[[1,"n",1,0]]]],1,[3123456789,[[0,"nnn",5,"weight"]],',
    '[2,[1,1,"user-1","token-1"],[0,"gpt-4o","default",1,500000,1,1.25,4,0.5,1.25,1,20,2,0,1,2],[0,0,1790000000000],',
    '["192.0.2.1","OpenAI/Python 1.109.1",0,0],[0,0,0,1,"channel 1",1,1,1500.4,212.7,[100,200,0,0,0,0,0,0,100,200,0],1000,200,0],',
    '[[0.4,0.8,1.2,1.6,2,2.4,1500.1,1501.2],[[1,0,1,0,2.4,1500.1,0,0,212.7,1,200]],[[1,0,0,1,0],[2,"channel 2",0,1,1]],5000,5000,0,1000000,',
    '1,[2123456789,[[1,"nn"]]],2,[0,100,200,300]]]',
  ].join(''),
)

/** Small tables: an event is shorter than its dictionary, and clearing larger ones costs more than they find. */
const OPTIONS = { dictionary: DICTIONARY, windowBits: 12, memLevel: 4, chunkSize: 4096 } as const

export function packEvent(text: string): Buffer {
  return Buffer.concat([Buffer.of(VERSION), deflateRawSync(text, OPTIONS)])
}

/** The text of a packed event; undefined: of a version that is not known here. */
export function unpackEvent(packed: Buffer): string | undefined {
  if (packed[0] !== VERSION) return undefined
  return inflateRawSync(packed.subarray(1), OPTIONS).toString()
}
