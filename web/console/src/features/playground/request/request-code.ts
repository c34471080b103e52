import { toAnthropic, toGemini, type OpenAiBody } from './request-formats.ts'

export const API_FORMATS = ['openai', 'anthropic', 'gemini'] as const
export type CodeFormat = (typeof API_FORMATS)[number]
export const LANGUAGES = ['curl', 'python', 'node', 'go'] as const
export type CodeLanguage = (typeof LANGUAGES)[number]

export type CodeInput = {
  readonly address: string
  readonly key: string
  readonly body: OpenAiBody
  readonly format: CodeFormat
  readonly language: CodeLanguage
}

type Request = { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: Json }
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The same request as an application sends it: in the format of a vendor's API, through its SDK where there is one for the language. */
export function codeOf(input: CodeInput): string {
  const { language, format } = input
  if (language === 'curl') return curl(input)
  if (language === 'go') return go(input)
  return { openai: openai, anthropic: anthropic, gemini: gemini }[format](input)
}

function requestOf({ body, key, format }: CodeInput): Request {
  if (format === 'openai') return { path: '/v1/chat/completions', headers: { Authorization: `Bearer ${key}` }, body: body as Json } // JSON by its type
  if (format === 'anthropic')
    return { path: '/v1/messages', headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' }, body: toAnthropic(body) }
  return {
    path: `/v1beta/models/${encodeURIComponent(body.model)}:generateContent`,
    headers: { 'x-goog-api-key': key },
    body: toGemini(body),
  }
}

function curl(input: CodeInput): string {
  const { path, headers, body } = requestOf(input)
  const lines = Object.entries({ ...headers, 'Content-Type': 'application/json' }).map(([name, value]) => `  -H '${name}: ${value}' \\`)
  return [`curl ${input.address}${path} \\`, ...lines, `  -d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`].join(
    '\n',
  )
}

function go(input: CodeInput): string {
  const { path, headers, body } = requestOf(input)
  // A raw string of Go cannot hold its own mark.
  const text = JSON.stringify(body, null, 2).replaceAll('`', '` + "`" + `')
  const set = Object.entries({ ...headers, 'Content-Type': 'application/json' }).map(
    ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
  )
  return `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	body := \`${text}\`
	request, err := http.NewRequest("POST", ${JSON.stringify(input.address + path)}, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
${set.join('\n')}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(answer))
}`
}

function openai({ address, key, body, language }: CodeInput): string {
  const fields = body as unknown as Record<string, Json> // JSON by its type
  if (language === 'python')
    return `from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${address}/v1`)}, api_key=${JSON.stringify(key)})
answer = client.chat.completions.create(
${pythonArguments(fields)}
)
print(answer.choices[0].message.content)`
  return `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${JSON.stringify(`${address}/v1`)}, apiKey: ${JSON.stringify(key)} })
const answer = await client.chat.completions.create(${JSON.stringify(fields, null, 2)})
console.log(answer.choices[0].message.content)`
}

function anthropic({ address, key, body, language }: CodeInput): string {
  const fields = toAnthropic(body)
  if (language === 'python')
    return `from anthropic import Anthropic

client = Anthropic(base_url=${JSON.stringify(address)}, api_key=${JSON.stringify(key)})
message = client.messages.create(
${pythonArguments(fields)}
)
print(message.content[0].text)`
  return `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: ${JSON.stringify(address)}, apiKey: ${JSON.stringify(key)} })
const message = await client.messages.create(${JSON.stringify(fields, null, 2)})
console.log(message.content[0].text)`
}

function gemini({ address, key, body, language }: CodeInput): string {
  const { contents, systemInstruction, generationConfig, tools } = toGemini(body)
  const config = {
    ...(systemInstruction === undefined ? {} : { systemInstruction }),
    ...(typeof generationConfig === 'object' ? generationConfig : {}),
    ...(tools === undefined ? {} : { tools }),
  }
  const fields: Record<string, Json> = {
    model: body.model,
    contents: contents ?? [],
    ...(Object.keys(config).length === 0 ? {} : { config }),
  }
  if (language === 'python')
    return `from google import genai

client = genai.Client(api_key=${JSON.stringify(key)}, http_options={"base_url": ${JSON.stringify(address)}})
answer = client.models.generate_content(
${pythonArguments(fields)}
)
print(answer.text)`
  return `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({ apiKey: ${JSON.stringify(key)}, httpOptions: { baseUrl: ${JSON.stringify(address)} } })
const answer = await client.models.generateContent(${JSON.stringify(fields, null, 2)})
console.log(answer.text)`
}

const pythonArguments = (fields: Readonly<Record<string, Json>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `    ${name}=${pythonOf(value, '    ')},`)
    .join('\n')

/** A value as Python writes it, indented as JSON is. */
export function pythonOf(value: Json, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  if (isList(value)) return value.length === 0 ? '[]' : `[\n${value.map((one) => inner + pythonOf(one, inner)).join(',\n')},\n${indent}]`
  const entries = Object.entries(value)
  if (entries.length === 0) return '{}'
  return `{\n${entries.map(([name, one]) => `${inner}${JSON.stringify(name)}: ${pythonOf(one, inner)}`).join(',\n')},\n${indent}}`
}

const isList = (value: readonly Json[] | { readonly [name: string]: Json }): value is readonly Json[] => Array.isArray(value)
