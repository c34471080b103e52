import type { InvoiceMapping } from '@tollgate/contracts/resources/vendor-invoices'
import { describe, expect, it } from 'vitest'
import { daysBetween } from './days.ts'
import { toInvoiceSums } from './invoice-sums.ts'
import { readInvoice } from './read-invoice.ts'

const read = (text: string, time_zone = 'UTC') => {
  const { lines, problems, rows } = readInvoice([{ name: 'file', text }], { time_zone })
  return { rows, problems, lines: lines.map(({ account, model, day, ...billed }) => ({ account, model, day, ...toInvoiceSums(billed) })) }
}

describe('files of vendors', () => {
  it('of OpenAI: usage and costs as its API answers, with amounts to the last digit', () => {
    const bucket = { object: 'bucket', start_time: 1_793_491_200, end_time: 1_793_577_600 }
    const result = {
      input_tokens: 100,
      output_tokens: 20,
      input_cached_tokens: 40,
      num_model_requests: 3,
      model: 'gpt-4o-2024-08-06',
      project_id: 'p1',
    }
    const usage = JSON.stringify({ object: 'page', data: [{ ...bucket, results: [result, { ...result, input_tokens: 1 }] }] })
    const costs = `{"data":[{"start_time":1793491200,"results":[
      {"amount":{"value":0.1000000000000000055511151,"currency":"usd"},"line_item":"gpt-4o-2024-08-06, input","project_id":"p1"},
      {"amount":{"value":2e-7,"currency":"usd"},"line_item":"gpt-4o-2024-08-06, output","project_id":"p1"}]}]}`

    const { lines, problems } = readInvoice(
      [
        { name: 'usage', text: usage },
        { name: 'costs', text: costs },
      ],
      { time_zone: 'UTC' },
    )

    expect(problems).toEqual([])
    expect(lines.map(({ dollars, ...line }) => ({ ...line, dollars: dollars?.toString() }))).toEqual([
      {
        account: 'p1',
        model: 'gpt-4o',
        day: '2026-11-01',
        requests: 6,
        input: 101,
        cached: 80,
        output: 40,
        dollars: '0.1000002000000000055511151',
      },
    ])
  })

  it('of Anthropic: uncached input and cents', () => {
    const usage = {
      uncached_input_tokens: 10,
      cache_creation: { ephemeral_1h_input_tokens: 1, ephemeral_5m_input_tokens: 2 },
      cache_read_input_tokens: 4,
      output_tokens: 5,
      model: 'claude-sonnet-4-5-20250929',
    }
    const cost = {
      amount: '123.45',
      currency: 'USD',
      cost_type: 'tokens',
      token_type: 'output_tokens',
      model: usage.model,
      description: 'x',
    }
    const bucket = { starting_at: '2026-11-03T00:00:00Z' }

    expect(read(JSON.stringify({ data: [{ ...bucket, results: [usage] }] })).lines).toMatchObject([
      { model: 'claude-sonnet-4-5', day: '2026-11-03', input: 17, cached: 4, output: 5, dollars: null },
    ])
    expect(read(JSON.stringify({ data: [{ ...bucket, results: [cost] }] })).lines).toMatchObject([{ dollars: '1.2345', input: null }])
  })

  it('of Google: the model and the kind of tokens from the text of the item, days of the Pacific', () => {
    const csv = [
      'Project ID,SKU description,Usage start time,Usage amount,Usage unit,Cost ($)',
      'p,Gemini 2.5 Flash Lite GA Text Input - Predictions,2026-11-04 07:30:00 UTC,"1,200",count,0.12',
      'p,Gemini 2.5 Flash Lite GA Text Output - Predictions,2026-11-04 07:30:00 UTC,300,count,$1.20',
    ].join('\n')

    expect(read(csv, 'America/Los_Angeles').lines).toEqual([
      {
        account: 'p',
        model: 'gemini-2.5-flash-lite',
        day: '2026-11-03',
        requests: null,
        input: 1200,
        cached: 0,
        output: 300,
        dollars: '1.32',
      },
    ])
  })

  it('name each row that cannot be read, by its line', () => {
    const csv = [
      'date,model,input tokens,output tokens,cost,currency',
      '2026-11-01,m,1,2,0.5,USD',
      '2026-13-01,m,1,2,0.5,USD',
      '2026-11-01,m,1.5,2,0.5,USD',
      '2026-11-01,m,-1,2,0.5,USD',
      '2026-11-01,m,1,2,0,5 cents,USD',
      '2026-11-01,m,1,2,0.5,EUR',
      '2026-11-01,,1,2,0.5,USD',
      '2026-11-01,m,1,2,abc,USD',
    ].join('\n')

    expect(read(csv).problems.map(({ line, reason }) => [line, reason])).toEqual([
      [6, 'cells'],
      [3, 'day'],
      [4, 'number'],
      [5, 'number'],
      [7, 'currency'],
      [8, 'model'],
      [9, 'number'],
    ])
    expect(read('').problems).toMatchObject([{ line: 0, reason: 'empty' }])
    expect(read('{"a":1}\n{oops').problems).toMatchObject([
      { line: 2, reason: 'json' },
      { reason: 'columns' },
      { reason: 'columns' },
      { reason: 'columns' },
    ])
    expect(read('a,b\n1,2').problems.map(({ text }) => text)).toEqual(['day', 'model', 'dollars'])
    expect(read('date,model,cost\n"2026-11-01,m,1').problems).toMatchObject([{ line: 2, reason: 'quotes' }])
  })

  it('are not read to their end once they are clearly something else', () => {
    const problemsOf = (text: string) => read(text).problems.filter(({ reason }) => reason !== 'columns')
    const wide = Array.from({ length: 300 }, (_, at) => `"c${at}":"1",`).join('')

    expect(problemsOf('{\n'.repeat(5000))).toHaveLength(100)
    expect(problemsOf(`${'{"a":'.repeat(20)}{"b":"1"}${'}'.repeat(20)}`)).toMatchObject([{ reason: 'json' }])
    expect(problemsOf(`{${wide}"results":[{"b":"1"}]}`)).toMatchObject([{ reason: 'cells', text: '301' }])
    expect(problemsOf(`${'a,'.repeat(300)}\na,a`)).toMatchObject([{ line: 1, reason: 'cells', text: '301' }])
    expect(problemsOf(`[${'{},'.repeat(60_000)}{}]`)).toMatchObject([{ reason: 'too-many', text: '50001' }])
  })

  it('have the columns that a mapping names', () => {
    const mapping: InvoiceMapping = {
      columns: {
        day: ['Tag'],
        model: ['Modell'],
        item: [],
        account: [],
        requests: [],
        input: ['Ein'],
        cached: ['Puffer'],
        cache_write: [],
        output: ['Aus'],
        quantity: [],
        dollars: ['Cent'],
        currency: [],
      },
      has_cached_in_input: false,
      amount_unit: 'cent',
    }
    const text = 'Tag;Modell;Ein;Puffer;Aus;Cent\n2026/11/01;Models/m-latest;10;5;2;250\n'

    const { lines } = readInvoice([{ name: 'file', text, mapping }], { time_zone: 'UTC' })

    expect(lines.map(({ dollars, ...line }) => ({ ...line, dollars: dollars?.toString() }))).toEqual([
      { account: '', model: 'm', day: '2026-11-01', requests: null, input: 15, cached: 5, output: 2, dollars: '2.5' },
    ])
  })
})

describe('days of a time zone', () => {
  it('follow each other without a gap when clocks change', () => {
    const days = daysBetween('2026-10-31', '2026-11-02', 'America/Los_Angeles')

    expect(days.map(({ day }) => day)).toEqual(['2026-10-31', '2026-11-01', '2026-11-02'])
    expect(days.map(({ start, end }) => (end - start) / 3600)).toEqual([24, 25, 24])
    expect(days[1]?.start).toBe(days[0]?.end)
    expect(daysBetween('2026-11-01', '2026-11-03', 'Pacific/Kiritimati').map(({ day }) => day)).toHaveLength(3)
  })
})
