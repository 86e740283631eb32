// The package has no types. Without these the compiler infers them from a megabyte of JSON.

declare module 'world-atlas/countries-110m.json' {
  import type { GeometryCollection, Topology } from 'topojson-specification'

  const topology: Topology<{
    countries: GeometryCollection<{ name: string }>
    land: GeometryCollection
  }>
  export default topology
}

declare module 'world-atlas/countries-50m.json' {
  export { default } from 'world-atlas/countries-110m.json'
}
