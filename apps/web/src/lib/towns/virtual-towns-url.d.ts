// Made by apps/web/bundle-towns.ts.
declare module 'virtual:towns-url' {
  /** Where the TownList is to be fetched. */
  const url: string
  export default url
}
