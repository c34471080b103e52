import { screen, within } from '@testing-library/react'
import {
  vendorInvoices,
  type InvoiceLine,
  type InvoiceMapping,
  type InvoicePreview,
  type VendorInvoice,
} from '@tollgate/contracts/resources/vendor-invoices'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()

const INVOICE: VendorInvoice = {
  id: 3,
  name: 'OpenAI November',
  vendor: 'openai',
  source: 'file',
  time_zone: 'UTC',
  channel_ids: [1],
  accounts: {},
  first_day: '2026-11-01',
  last_day: '2026-11-30',
  rows: 40,
  created_by: 'root',
  created_at: 1_796_000_000,
  state: 'done',
  done: 10,
  total: 10,
  finished_at: 1_796_000_010,
  result: {
    vendor: { requests: null, input: 1_300_000, cached: 0, output: 200_000, dollars: '5.25' },
    own: { requests: 2, input: 800_000, cached: 0, output: 200_000, dollars: '4', charged: '8' },
    margin: '2.75',
    lines: 30,
    differing: 1,
    causes: [{ kind: 'charged-retries', lines: 1, dollars: '1.25' }],
    logs_from: 0,
  },
}
const LINE: InvoiceLine = {
  n: 0,
  channel_id: 1,
  model: 'gpt-4o',
  day: '2026-11-02',
  vendor: { requests: null, input: 1_300_000, cached: 0, output: 200_000, dollars: '5.25' },
  own: { requests: 2, input: 800_000, cached: 0, output: 200_000, dollars: '4', charged: '8' },
  differs: true,
  causes: [{ kind: 'charged-retries', calls: 1, input: 500_000 }],
}
const MAPPING: InvoiceMapping = {
  columns: {
    day: ['Tag'],
    model: ['Modell'],
    item: [],
    account: [],
    requests: [],
    input: [],
    cached: [],
    cache_write: [],
    output: [],
    quantity: [],
    dollars: [],
    currency: [],
  },
  has_cached_in_input: true,
  amount_unit: 'dollar',
}
const PREVIEW: InvoicePreview = {
  files: [
    {
      name: 'nov.csv',
      columns: ['Tag', 'Modell', 'Kosten'],
      sample: [['2026-11-01', 'gpt-4o', '1']],
      mapping: MAPPING,
      is_remembered: false,
      rows: 1,
    },
  ],
  problems: [{ file: 'nov.csv', line: 3, reason: 'day', text: 'x' }],
  problem_count: 1,
  rows: 1,
  first_day: '2026-11-01',
  last_day: '2026-11-01',
  models: ['gpt-4o'],
  accounts: [''],
  total: { requests: null, input: null, cached: null, output: null, dollars: '1' },
}

beforeEach(() => {
  session.start(aStoredUser({ role: 10 }))
  plane.answer(vendorInvoices.channels, [{ id: 1, name: 'main', type: 1 }])
})

describe('invoices of vendors', () => {
  it('say in an empty list what belongs there', async () => {
    plane.answer(vendorInvoices.list, { items: [], total: 0, page: 1, page_size: 10 })
    await open('/invoice')

    expect(await screen.findByText('还没有供应商账单')).toBeTruthy()
  })

  it('are listed with their margin, and deleted after a question that names them', async () => {
    plane.answer(vendorInvoices.list, { items: [INVOICE], total: 1, page: 1, page_size: 10 })
    plane.answer(vendorInvoices.remove, undefined)
    const { user } = await open('/invoice')

    const row = await screen.findByRole('row', { name: /OpenAI November/ })
    expect(within(row).getByText('$2.75')).toBeTruthy()
    expect(within(row).getByText('1 / 30')).toBeTruthy()
    await user.click(within(row).getByRole('button', { name: '删除' }))
    const question = await screen.findByRole('alertdialog', { name: '删除账单“OpenAI November”？' })
    await user.click(within(question).getByRole('button', { name: '删除' }))

    expect(await screen.findByText('已删除')).toBeTruthy()
    expect(plane.to(vendorInvoices.remove)).toHaveLength(1)
  })

  it('show totals, the causes in plain words, and each line with its figures', async () => {
    plane.answer(vendorInvoices.find, INVOICE)
    plane.answer(vendorInvoices.lines, { items: [LINE], total: 1, page: 1, page_size: 10 })
    await open('/invoice?id=3')

    expect(await screen.findByText(/供应商仍计入了其输入/)).toBeTruthy()
    const row = await screen.findByRole('row', { name: /gpt-4o/ })
    expect(within(row).getByText('供应商收取了失败的重试：1 次调用，输入 +500,000')).toBeTruthy()
    expect(within(row).getByText('+$1.25')).toBeTruthy()
    expect(within(row).getByText('本系统：800,000')).toBeTruthy()
  })

  it('show how far a comparison is', async () => {
    plane.answer(vendorInvoices.find, { ...INVOICE, state: 'running', done: 5, total: 10, result: null })
    await open('/invoice?id=3')

    expect(await screen.findByText('已读取 5 / 10 条日志')).toBeTruthy()
  })

  it('are not saved while a row cannot be read, and are saved with the meaning of their columns', async () => {
    plane.answer(vendorInvoices.preview, PREVIEW)
    plane.answer(vendorInvoices.create, INVOICE)
    plane.answer(vendorInvoices.find, INVOICE)
    plane.answer(vendorInvoices.lines, { items: [], total: 0, page: 1, page_size: 10 })
    const { user } = await open('/invoice?view=new')

    await user.type(await screen.findByLabelText(/^名称/), 'November')
    await user.click(screen.getByRole('button', { name: /账单对应的渠道/ }))
    await user.keyboard('{Enter}{Escape}')
    await user.upload(screen.getByLabelText('账单文件', { selector: 'input' }), new File(['Tag,Modell,Kosten\n'], 'nov.csv'))
    expect(await screen.findByText('nov.csv，第 3 行：不是日期：x')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '保存并核对' }).disabled).toBe(true)

    plane.answer(vendorInvoices.preview, { ...PREVIEW, problems: [], problem_count: 0 })
    await user.selectOptions(screen.getByRole('combobox', { name: '金额' }), 'Kosten')
    await user.click(await screen.findByRole('button', { name: '保存并核对' }))

    expect(await screen.findByText('账单已保存，正在核对')).toBeTruthy()
    expect(plane.to(vendorInvoices.create)).toMatchObject([
      { body: { name: 'November', channel_ids: [1], files: [{ name: 'nov.csv', mapping: { columns: { dollars: ['Kosten'] } } }] } },
    ])
  })
})
