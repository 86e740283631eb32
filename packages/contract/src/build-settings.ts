import * as v from 'valibot'

/** Written into the web app's build, and read by the server when it starts. */
export const buildSettingsFile = 'build-settings.json'

/** How pages get changes: over one of the live feed's two connections, or by polling only. */
const LiveSource = v.picklist(
  ['sse', 'websocket', 'off'],
  'VITE_LIVE must be sse, websocket or off',
)

/** The setting VITE_LIVE. Blank counts as unset. */
export const LiveSetting = v.optional(
  v.pipe(
    v.string(),
    v.trim(),
    v.transform((text) => (text === '' ? 'sse' : text)),
    LiveSource,
  ),
  'sse',
)

/** Which map the Observatory shows: the maps service's if there is a key, or always the built-in one. */
const MapSource = v.picklist(['service', 'open'], 'VITE_MAP must be service or open')

/** The setting VITE_MAP. Blank counts as unset. */
export const MapSetting = v.optional(
  v.pipe(
    v.string(),
    v.trim(),
    v.transform((text) => (text === '' ? 'service' : text)),
    MapSource,
  ),
  'service',
)

/** The settings of a web app's build that the server needs to know. */
export const BuildSettings = v.strictObject({
  /** Whether it has a key for the maps service. */
  hasMapsKey: v.boolean(),
  /** The origin of the device update URL; null if there is none. */
  deviceUpdateOrigin: v.nullable(v.pipe(v.string(), v.regex(/^https?:\/\/[^\s/;,']+$/))),
  live: LiveSource,
  /** The names of the Library's guides. */
  guides: v.array(v.string()),
})
export type BuildSettings = v.InferOutput<typeof BuildSettings>

const urlMessage =
  'VITE_DEVICE_UPDATE_URL must be a whole http or https address without a user name, such as https://sky.example/devices'

/** The setting VITE_DEVICE_UPDATE_URL: an absolute http or https address. Blank counts as unset. */
export const DeviceUpdateUrl = v.optional(
  v.pipe(
    v.string(),
    v.trim(),
    v.check((text) => {
      if (text === '') return true
      if (!URL.canParse(text)) return false
      const { protocol, username, password } = new URL(text)
      // fetch refuses addresses with a user name.
      return /^https?:$/.test(protocol) && username === '' && password === ''
    }, urlMessage),
    v.transform((text) => (text === '' ? undefined : new URL(text).href)),
  ),
)
