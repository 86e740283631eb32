import { useSyncExternalStore } from 'react'

/** Whether this render has to match the prerendered HTML, which knows no query parameters. */
export function useIsFromBuild(): boolean {
  return useSyncExternalStore(neverChanges, isInBrowser, isInBuild)
}

const neverChanges = () => () => undefined
const isInBrowser = () => false
const isInBuild = () => true
