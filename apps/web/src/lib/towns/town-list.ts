import * as v from 'valibot'

/** Coordinates are whole thousandths of a degree, about 100 m: towns are larger. */
export const coordinateScale = 1000

/**
 * The largest towns of the world by GeoNames (CC BY 4.0), the largest first, as they are sent: a
 * column for each property, 250 kB compressed. Made by apps/web/bundle-towns.ts.
 */
export const TownList = v.object({
  /** A line for each. */
  names: v.string(),
  /** ISO 3166: countries, and in the United States the state, such as `US-TX`; with spaces between. */
  regions: v.string(),
  lat: v.array(v.number()),
  lon: v.array(v.number()),
})
export type TownList = v.InferOutput<typeof TownList>
