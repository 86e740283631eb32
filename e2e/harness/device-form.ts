import type { Locator } from '@playwright/test'

interface TypedDevice {
  readonly label: string
  readonly lat: string
  readonly lon: string
  readonly link?: string
}

/** The form of a device, on Account or Connect, in the part of the page that contains it. */
export function deviceForm(part: Locator) {
  const fields = {
    label: part.getByLabel('Label', { exact: true }),
    lat: part.getByLabel('Latitude'),
    lon: part.getByLabel('Longitude'),
    link: part.getByLabel('Link'),
  }
  return {
    ...fields,
    town: part.getByRole('combobox', { name: 'Search a town' }),
    towns: part.getByRole('listbox', { name: 'Towns' }),
    isPublic: part.getByRole('radio', { name: 'Public' }),
    isPrivate: part.getByRole('radio', { name: 'Private' }),
    alerts: part.getByRole('alert'),
    async enter({ label, lat, lon, link = '' }: TypedDevice) {
      await fields.label.fill(label)
      await fields.lat.fill(lat)
      await fields.lon.fill(lon)
      await fields.link.fill(link)
    },
    /** The contents of the fields. */
    async typed() {
      return {
        label: await fields.label.inputValue(),
        lat: await fields.lat.inputValue(),
        lon: await fields.lon.inputValue(),
        link: await fields.link.inputValue(),
      }
    },
  }
}
