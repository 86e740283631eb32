import * as v from 'valibot'

/** The file beside the built web app that tells the server what it was built with. */
export const buildSettingsFile = 'build-settings.json'

export const LiveFeed = v.picklist(['sse', 'websocket', 'off'])

/** What the server's content security policy depends on. */
export const BuildSettings = v.object({
  googleMaps: v.boolean(),
  live: LiveFeed,
})
export type BuildSettings = v.InferOutput<typeof BuildSettings>
