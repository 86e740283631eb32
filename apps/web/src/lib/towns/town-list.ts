import * as v from 'valibot'

/** Coordinates are whole thousandths of a degree, about 100 m. Towns are larger than that. */
export const coordinateScale = 1000

/**
 * The largest towns of the world from GeoNames (CC BY 4.0), largest first, in one column per property: 250
 * kB compressed. Made by apps/web/bundle-towns.ts.
 */
export const TownList = v.object({
  /** One line per town. */
  names: v.string(),
  /** Separated by spaces: the ISO 3166 country code, or in the United States the state, such as `US-TX`. */
  regions: v.string(),
  lat: v.array(v.number()),
  lon: v.array(v.number()),
})
export type TownList = v.InferOutput<typeof TownList>
