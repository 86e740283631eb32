/**
 * Whether this build is of a site that means it: by `VITE_STAGE=live` it has neither the Under Construction banner nor
 * its warning of data resets. Vite puts the setting into the code, so that what is not shown is not in it either.
 */
export function isLive(): boolean {
  return import.meta.env.VITE_STAGE === 'live'
}
