import type { Page } from '@playwright/test'

/** The parts of the Observatory, by role and name. */
export function observatoryParts(page: Page) {
  const status = page.getByRole('region', { name: 'Status of the network' })
  const list = page.getByRole('region', { name: 'Devices', exact: true })
  const grid = list.getByRole('grid', { name: 'Devices' })
  return {
    status,
    /** The text that announces changes. */
    changes: status.locator('output[aria-live=polite]'),
    count: (name: string) => status.locator('dl > div').filter({ hasText: name }).locator('dd'),
    globe: page.getByRole('region', { name: 'Sky and Earth' }),
    list,
    grid,
    /** The rendered rows, without the header. */
    rows: grid.locator('tbody').getByRole('row'),
    /** A row by its position in the list, counted from 1. */
    row: (place: number) => grid.locator(`tbody tr[aria-rowindex="${place + 1}"]`),
    search: page.getByRole('searchbox', { name: 'Search devices by label or ID' }),
    statusFilter: page.getByRole('combobox', { name: 'Status' }),
    sortButton: (name: string) => grid.getByRole('button', { name, exact: true }),
    listCount: page.getByRole('search').locator('output'),
  }
}
