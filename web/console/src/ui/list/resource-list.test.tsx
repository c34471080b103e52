import { ChakraProvider } from '@chakra-ui/react'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTexts } from '../../i18n/start.ts'
import { storage } from '../../lib/storage.ts'
import { system } from '../../theme/system.ts'
import { ResourceList } from './resource-list.tsx'
import type { Column } from './table-columns.ts'
import type { ListResult } from './use-list.ts'

type Fruit = { readonly id: number; readonly name: string; readonly weight: number }

const fruits: readonly Fruit[] = [
  { id: 1, name: 'pear 10', weight: 7 },
  { id: 2, name: 'pear 9', weight: 30 },
  { id: 3, name: 'apple', weight: 12 },
]
const columns: readonly Column<Fruit>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, text: ({ name }) => name, isFixed: true },
  { id: 'weight', header: 'Weight', cell: ({ weight }) => weight, text: ({ weight }) => weight },
]

const page = (rows: readonly Fruit[], rest: Partial<ListResult<Fruit>> = {}): ListResult<Fruit> => ({
  rows,
  total: rows.length,
  error: undefined,
  isRefetching: false,
  isFetching: false,
  refresh: () => undefined,
  ...rest,
})

beforeEach(async () => {
  await startTexts('en')
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

type Search = { readonly page?: number | undefined; readonly sort?: string | undefined; readonly kind?: string }

/** A list whose address is kept beside it, as a route keeps it. */
function show(list: ListResult<Fruit>, search: Search = {}, onOpen = vi.fn<(fruit: Fruit) => void>()) {
  const addresses: Search[] = []
  const element = (at: Search) => (
    <ChakraProvider value={system}>
      <ResourceList<Fruit, Search>
        name="fruit"
        title="Fruit"
        list={list}
        columns={columns}
        filters={[]}
        search={at}
        onSearch={(next) => {
          addresses.push(next)
          view.rerender(element(next))
        }}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{ title: 'None', help: 'Nothing here.', icon: null }}
        batch={({ rows }) => <output>{rows.map(({ name }) => name).join('+')}</output>}
        onOpen={onOpen}
      />
    </ChakraProvider>
  )
  const view = render(element(search))
  return { user: userEvent.setup(), addresses, onOpen }
}

const names = (): (string | null)[] =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[1]?.textContent ?? null)

describe('a list', () => {
  it('sorts by a press on a head and keeps the order in the address', async () => {
    const { user, addresses } = show(page(fruits))
    expect(names()).toEqual(['pear 10', 'pear 9', 'apple'])

    await user.click(screen.getByRole('button', { name: 'Name' }))
    expect(names(), 'digits by their value').toEqual(['apple', 'pear 9', 'pear 10'])
    await user.click(screen.getByRole('button', { name: 'Weight' }))
    expect(names(), 'amounts begin with the largest').toEqual(['pear 9', 'apple', 'pear 10'])

    expect(addresses.map(({ sort }) => sort)).toEqual(['name', '-weight'])
    expect(screen.getByRole('columnheader', { name: 'Weight' }).getAttribute('aria-sort')).toBe('descending')
  })

  it('that is here as a whole is sorted before it is cut into pages', () => {
    const many = Array.from({ length: 23 }, (_, index): Fruit => ({ id: index + 1, name: `f${index + 1}`, weight: index }))
    show(page(many, { isWhole: true }), { page: 2, sort: '-weight' })

    expect(names()).toEqual(['f13', 'f12', 'f11', 'f10', 'f9', 'f8', 'f7', 'f6', 'f5', 'f4'])
    expect(screen.getByText('11–20 of 23')).toBeTruthy()
  })

  it('hands over the rows that are selected and in sight, and forgets them on another page', async () => {
    const { user } = show(page(fruits))
    await user.click(screen.getByRole('checkbox', { name: 'Select this page' }))
    await user.click(screen.getByRole('checkbox', { name: /pear 9/ }))
    expect(screen.getByRole('status').textContent).toBe('pear 10+apple')

    await user.click(screen.getByRole('button', { name: 'Name' }))
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('opens a row by a click and by Enter, and not by its box', async () => {
    const { user, onOpen } = show(page(fruits))
    await user.click(screen.getByText('apple'))
    screen.getByText('pear 9').closest('tr')?.focus()
    await user.keyboard('{Enter}')
    await user.click(screen.getByRole('checkbox', { name: /pear 10/ }))

    expect(onOpen.mock.calls.map(([{ name }]) => name)).toEqual(['apple', 'pear 9'])
  })

  it('remembers which columns show and how wide they are, and forgets it on demand', async () => {
    storage.set('table-layouts', { fruit: { shown: { weight: false }, widths: { name: 120 } }, other: { shown: { name: true } } })
    const { user } = show(page(fruits))
    expect(screen.queryByRole('columnheader', { name: 'Weight' })).toBeNull()
    expect(screen.getByText('apple').style.width).toContain('104px')

    await user.click(screen.getByRole('button', { name: 'Columns' }))
    await user.click(await screen.findByRole('button', { name: 'Back to default' }))

    expect(storage.get('table-layouts')).toEqual({ fruit: {}, other: { shown: { name: true } } })
  })
})
