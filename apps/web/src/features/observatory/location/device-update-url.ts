import { DeviceUpdateUrl } from '@astropelago/contract/build-settings'
import * as v from 'valibot'

const Environment = v.object({ VITE_DEVICE_UPDATE_URL: DeviceUpdateUrl })

/** Where saved locations are sent as well; undefined when the build names no such address. */
export const deviceUpdateUrl = v.parse(Environment, import.meta.env).VITE_DEVICE_UPDATE_URL
