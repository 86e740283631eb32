import * as v from 'valibot'

/** Whole thousandths of a degree, about 100 m. Towns are larger than that. */
export const coordinateScale = 1000

/** From GeoNames (CC BY 4.0) by apps/web/bundle-towns.ts, largest first: 250 kB compressed. */
export const TownList = v.object({
  /** One line per town. */
  names: v.string(),
  /** Separated by spaces: the ISO 3166 country code, or in the United States the state, such as `US-TX`. */
  regions: v.string(),
  lat: v.array(v.number()),
  lon: v.array(v.number()),
})
export type TownList = v.InferOutput<typeof TownList>
