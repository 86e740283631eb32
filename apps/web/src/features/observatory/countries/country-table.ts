import { t } from '@lingui/core/macro'
import { withinHalfTurn } from '../geometry/longitudes.ts'
import type { Sight } from '../selection.ts'

/** A state or territory: its centre, and how many degrees around it show all of it. */
interface CountryState extends Sight {
  readonly name: string
}

export interface Box {
  readonly latMinDeg: number
  readonly latMaxDeg: number
  readonly lonMinDeg: number
  readonly lonMaxDeg: number
}

export interface Country {
  /** Its ISO 3166 number, as on the bundled map. */
  readonly id: string
  readonly name: string
  readonly box: Box
  readonly states: readonly CountryState[]
}

const australia: Country = {
  id: '036',
  name: t`Australia`,
  box: { latMinDeg: -44, latMaxDeg: -10, lonMinDeg: 112, lonMaxDeg: 154 },
  // Centroids from Geoscience Australia, to a hundredth of a degree.
  states: [
    { name: t`New South Wales`, latDeg: -32.16, lonDeg: 147.02, spanDeg: 14 },
    { name: t`Victoria`, latDeg: -36.85, lonDeg: 144.28, spanDeg: 10 },
    { name: t`Queensland`, latDeg: -22.49, lonDeg: 144.43, spanDeg: 22 },
    { name: t`Western Australia`, latDeg: -25.33, lonDeg: 122.3, spanDeg: 24 },
    { name: t`South Australia`, latDeg: -30.06, lonDeg: 135.76, spanDeg: 16 },
    { name: t`Tasmania`, latDeg: -42.02, lonDeg: 146.59, spanDeg: 6 },
    { name: t`Northern Territory`, latDeg: -19.38, lonDeg: 133.36, spanDeg: 17 },
    { name: t`Australian Capital Territory`, latDeg: -35.49, lonDeg: 149, spanDeg: 2 },
  ],
}

/** Countries with states to choose. Their names appear on the globe when zoomed in. */
export const countries: readonly Country[] = [australia]

export const countryNames: readonly CountryState[] = countries.map((country) => ({
  name: country.name,
  ...sightOfCountry(country),
}))

export const stateNames = countries.flatMap(({ states }) => states)

export function sightOfCountry({ box }: Country): Sight {
  const latDeg = (box.latMinDeg + box.latMaxDeg) / 2
  const widthDeg = (box.lonMaxDeg - box.lonMinDeg) * Math.cos((latDeg * Math.PI) / 180)
  return {
    latDeg,
    lonDeg: withinHalfTurn((box.lonMinDeg + box.lonMaxDeg) / 2),
    spanDeg: Math.max(box.latMaxDeg - box.latMinDeg, widthDeg),
  }
}
