import type { Page } from '@playwright/test'

const keyPrefix = 'astropelago.location-'

/** The location panel of the Observatory, by role and name. */
export function locationParts(page: Page) {
  const form = page.getByRole('form', { name: 'My location' })
  const button = (name: string) => form.getByRole('button', { name, exact: true })
  const fields = {
    label: form.getByLabel('Label'),
    lat: form.getByLabel('Latitude'),
    lon: form.getByLabel('Longitude'),
  }
  return {
    form,
    ...fields,
    toggle: page.getByRole('button', { name: 'My location' }),
    save: button('Save'),
    locate: button('Use current location'),
    clear: button('Clear'),
    message: form.getByRole('status').first(),
    async open() {
      await page.goto('/observatory')
      await this.toggle.click()
    },
    async enter(label: string, lat: string, lon: string) {
      await fields.label.fill(label)
      await fields.lat.fill(lat)
      await fields.lon.fill(lon)
    },
    async typed() {
      return {
        label: await fields.label.inputValue(),
        lat: await fields.lat.inputValue(),
        lon: await fields.lon.inputValue(),
      }
    },
    /** What the browser has stored: the last part of each key, and its value. */
    async stored() {
      const { origins } = await page.context().storageState()
      const entries = origins
        .flatMap(({ localStorage }) => localStorage)
        .filter(({ name }) => name.startsWith(keyPrefix))
        .map(({ name, value }) => [name.slice(keyPrefix.length), parsed(value)] as const)
      return Object.fromEntries(entries)
    },
  }
}

function parsed(json: string): unknown {
  return JSON.parse(json)
}
