import type { Locator } from 'vitest/browser'

interface TypedDevice {
  readonly label: string
  readonly lat: string
  readonly lon: string
  readonly link?: string
}

/** The device form's controls, located as a user would find them, within a part of the page. */
export function deviceFormParts(part: Locator) {
  const fields = {
    label: part.getByLabelText('Label', { exact: true }),
    lat: part.getByLabelText('Latitude'),
    lon: part.getByLabelText('Longitude'),
    link: part.getByLabelText(/^Link/),
  }
  return {
    ...fields,
    isPublic: part.getByRole('radio', { name: 'Public' }),
    isPrivate: part.getByRole('radio', { name: 'Private' }),
    alerts: part.getByRole('alert'),
    async enter({ label, lat, lon, link = '' }: TypedDevice) {
      await fields.label.fill(label)
      await fields.lat.fill(lat)
      await fields.lon.fill(lon)
      await fields.link.fill(link)
    },
    /** The values of the fields. */
    typed: () => ({
      label: valueOf(fields.label),
      lat: valueOf(fields.lat),
      lon: valueOf(fields.lon),
      link: valueOf(fields.link),
    }),
  }
}

function valueOf(field: Locator): string | undefined {
  const element = field.element()
  return element instanceof HTMLInputElement ? element.value : undefined
}
