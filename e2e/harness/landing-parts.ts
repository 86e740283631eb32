import { expect, type Page } from '@playwright/test'

/** The landing page's parts, by role and name. */
export function landing(page: Page) {
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const main = page.getByRole('main')
  return {
    part,
    notice: page.getByRole('complementary', { name: 'Under Construction' }),
    dismiss: page.getByRole('button', { name: 'Dismiss' }),
    explore: main.getByRole('link', { name: 'Explore', exact: true }),
    connectAction: main.getByRole('link', { name: 'Connect your device', exact: true }),
    connectHeading: page.getByRole('heading', { name: 'Connect your device', exact: true }),
  }
}

/** Opens the page and waits for hydration. Before that, links work but buttons do not. */
export async function openLanding(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('data-motion')
}
