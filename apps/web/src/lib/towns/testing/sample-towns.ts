import type { TownList } from '../town-list.ts'

const rows = [
  ['New York City', 'US-NY', 40_714, -74_006],
  ['Xi’an', 'CN', 34_258, 108_929],
  ['Vienna', 'AT', 48_208, 16_372],
  ['Wien', 'AT', 48_208, 16_372],
  ['Zürich', 'CH', 47_367, 8550],
  ['St. Louis', 'US-MO', 38_627, -90_198],
  ['York', 'GB', 53_958, -1083],
  ['Tromsø', 'NO', 69_649, 18_957],
  ['York', 'US-PA', 39_963, -76_728],
  ['Wilkes-Barre', 'US-PA', 41_246, -75_881],
] as const

/** A few towns in the format of the list, largest first. */
export const sampleTowns: TownList = {
  names: rows.map(([name]) => name).join('\n'),
  regions: rows.map(([, region]) => region).join(' '),
  lat: rows.map(([, , lat]) => lat),
  lon: rows.map(([, , , lon]) => lon),
}
