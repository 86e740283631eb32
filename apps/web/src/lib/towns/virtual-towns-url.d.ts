// Made by apps/web/bundle-towns.ts.
declare module 'virtual:towns-url' {
  /** The address of the TownList. */
  const url: string
  export default url
}
