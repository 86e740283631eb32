import * as React from 'react'

/**
 * Makes React's development build quick without losing its warnings. By default it records for each
 * element where it was created, and each render on the browser's timeline. That takes half of all script
 * time. It records neither after 10,000 elements in a second, nor where there is no timeline, so the page
 * pretends both. This has to run before react-dom loads.
 */
const internals: unknown = Reflect.get(
  React,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
)
const counter = 'recentlyCreatedOwnerStacks'
if (typeof internals !== 'object' || internals === null || !(counter in internals)) {
  throw new Error('React no longer counts its stacks of owners here')
}
Object.defineProperty(internals, counter, { get: () => Infinity, set: () => {} })
Reflect.deleteProperty(console, 'timeStamp')
